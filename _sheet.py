import sys
from PIL import Image
out=sys.argv[1]; files=sys.argv[2:]
ims=[Image.open('/tmp/wt/plots_out/'+f+'.png').convert('RGB') for f in files]
w=sum(i.width for i in ims)+10*len(ims); h=max(i.height for i in ims)
s=Image.new('RGB',(w,h),(120,120,120)); x=0
for i in ims: s.paste(i,(x,0)); x+=i.width+10
s.save(out)

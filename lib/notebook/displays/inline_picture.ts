import { type Html, markup } from "../html.ts";

/**
 * A small picture within text, as an image that carries its drawing in its address: JupyterLab takes SVG elements out of
 * outputs that it doesn't trust, such as those of a notebook that somebody sent, and leaves images.
 *
 * @param alt what it shows, in words; empty where the text beside it says so already
 * @param body what stands in the SVG
 */
export function inlinePicture(
  { width, height, alt }: { readonly width: number; readonly height: number; readonly alt: string },
  body: Html,
): Html {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body.markup}</svg>`;
  return markup`<img src="data:image/svg+xml,${
    encoded(svg)
  }" width="${width}" height="${height}" alt="${alt}" style="display:block;width:${width}px;height:${height}px;max-width:none;margin:0;background:none">`;
}

/** As short as an address may be: what only means something in HTML, the attribute's escaping takes care of. */
function encoded(svg: string): string {
  return svg.replaceAll('"', "'").replaceAll(/[%#<>\s]/g, (character) => encodeURIComponent(character));
}

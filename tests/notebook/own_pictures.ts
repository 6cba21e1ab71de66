/** The address of a small picture within a card: drawn by us, of lines and dots alone, without a word of anybody's. */
export const OWN_PICTURE =
  /^data:image\/svg\+xml,(?:%3C\/?(?:svg|line|polyline|circle)(?:%20[a-z0-9-]+='[\w.,:/%#-]*')*\/?%3E)+$/i;

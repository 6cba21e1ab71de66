/**
 * How wide the drawings of figures are, in pixels: in a window of 700 px, where a notebook leaves about 560 to its outputs,
 * figures are made smaller to fit, and letters of {@linkcode LETTER} px then still have eight.
 */
export const WIDTH = 728;

/** The smallest letters of figures, in pixels of the drawing. */
export const LETTER = 11;

/** Those inside of small cells, which have to be smaller yet: seven pixels in a window of 700. */
export const CELL_LETTER = 9.6;

/** What is left of {@linkcode LETTER} when a figure is made smaller, at least, in pixels of the page. */
export const READABLE = 8;

import { clip } from "../../domain/text.ts";
import { foreign, type Html, markup } from "../html.ts";

/** An address as a link if it is one of the web; other kinds, and simulated sources, which lead nowhere, as text. */
export function link(url: string, simulated: boolean, text = url): Html {
  const shown = foreign(clip(text, 160));
  const href = simulated ? null : webAddress(url);
  if (href === null) return shown;
  return markup`<a href="${href}" rel="noopener noreferrer nofollow" target="_blank" style="color:#0b57a8">${shown}</a>`;
}

/** The address in its normal form if it is one of the web, else `null`. */
export function webAddress(url: string): string | null {
  if (url.length > 2000 || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : null;
}

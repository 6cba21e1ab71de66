import { Buffer } from "node:buffer";
import { extname } from "node:path";
import { inputError } from "../../domain/errors.ts";
import { displaysOutcome } from "../forgotten_await.ts";
import { wrapped } from "../displays/plain.ts";
import { BUNDLE, displayable, JUPYTER_DISPLAY, type MimeBundle } from "../kernel.ts";
import { replaceable, replaceFile } from "../replace_file.ts";
import { compose, type Composition } from "./compose.ts";
import { pngOf } from "./png.ts";

/** Pixels from which a figure counts as large. */
const LARGE = 800_000;

/** What a figure is, besides its drawing. */
export interface FigureContent<R extends object> {
  /** What it shows: also its first line as text. */
  readonly title: string;
  /** Whether what it shows was simulated. */
  readonly simulated: boolean;
  /** What it says in words, for readers and programs that can't show pictures. */
  readonly text: string;
  /** The rows that it shows; called when they are first asked for. */
  readonly rows: () => readonly R[];
  /** The drawing; called when it is first asked for. */
  readonly draw: () => Pick<Composition, "subtitle" | "panels">;
}

/**
 * A picture that is laid out and drawn when it is first shown or saved. It holds the records as they stood when it was
 * made; it never changes. In a notebook it displays itself, in a terminal it reads as text.
 */
export class Figure<R extends object = object> {
  /** What it shows. */
  readonly title: string;
  /** Whether what it shows was simulated; the picture then says so. */
  readonly simulated: boolean;
  readonly #text: string;
  readonly #draw: FigureContent<R>["draw"];
  readonly #makeRows: FigureContent<R>["rows"];
  #rows: readonly R[] | null = null;
  #svg: string | null = null;

  /**
   * Nothing is drawn yet.
   *
   * @param content what it shows, and how it is drawn
   */
  constructor(content: FigureContent<R>) {
    this.title = content.title;
    this.simulated = content.simulated;
    this.#text = content.text;
    this.#draw = content.draw;
    this.#makeRows = content.rows;
    Object.freeze(this);
  }

  /** The plain rows behind the picture, all of them, also where it shows the leaders alone. */
  get rows(): readonly R[] {
    this.#rows ??= Object.freeze([...this.#makeRows()]);
    return this.#rows;
  }

  /** The picture as a self-contained SVG document, without script and without anything from outside. */
  svg(): string {
    this.#svg ??= compose({ title: this.title, simulated: this.simulated, ...this.#draw() });
    return this.#svg;
  }

  /**
   * The picture as PNG.
   *
   * @param zoom pixels for each pixel of the SVG, along an edge: 2 is sharp in print and on dense screens
   * @throws CosciError `internal` when it can't be rendered
   */
  png(zoom = 2): Promise<Uint8Array<ArrayBuffer>> {
    return pngOf(this.svg(), zoom);
  }

  /**
   * Writes the picture to a file.
   *
   * @param path ends in `.svg` or `.png`, which decides the format; a file that is there is replaced
   * @throws CosciError `input` for another ending, or where the file can't be written
   */
  @displaysOutcome
  async save(path: string): Promise<void> {
    const data = await this.#file(path);
    await replaceFile("save", await replaceable("save", path), data);
  }

  #file(path: string): Uint8Array | Promise<Uint8Array> {
    switch (extname(path).toLowerCase()) {
      case ".svg":
        return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${this.svg()}\n`);
      case ".png":
        return this.png();
      default:
        throw inputError("save", path, 'Give a file name that ends in ".svg" or ".png".');
    }
  }

  /** What it says in words, at most 100 columns wide. */
  toString(): string {
    const lines = this.#text.split("\n").map((line) => {
      const text = line.trimStart();
      return wrapped(text, line.slice(0, line.length - text.length));
    });
    return [`${this.title}${this.simulated ? " (SIMULATED)" : ""}`, ...lines].join("\n");
  }

  /** Shows it in a notebook: SVG with a PNG beside it, and text. */
  [JUPYTER_DISPLAY](): Promise<MimeBundle> {
    return displayable(() => this[BUNDLE](), () => this.toString())();
  }

  /** Shows it in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  /**
   * Larger than the SVG, to be sharp on dense screens, unless the picture is large itself: the PNG is in every saved
   * notebook, and most of the time that showing a figure takes is its.
   */
  #displayZoom(): number {
    const [, width = "1", height = "1"] = /width="(\d+)" height="(\d+)"/.exec(this.svg()) ?? [];
    return Number(width) * Number(height) > LARGE ? 1 : 1.5;
  }

  /**
   * All its renderings, without showing them.
   *
   * @internal
   */
  async [BUNDLE](): Promise<MimeBundle> {
    const bundle = { "image/svg+xml": this.svg(), "text/plain": this.toString() };
    try {
      return { ...bundle, "image/png": Buffer.from(await this.png(this.#displayZoom())).toString("base64") };
    } catch {
      // Readers of notebooks show the SVG; the PNG is for those few that can't.
      return bundle;
    }
  }
}

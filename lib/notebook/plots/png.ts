import { CosciError, messageOf } from "../../domain/errors.ts";
import { indexedPng } from "./indexed_png.ts";

const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

interface Renderer {
  readonly Resvg: typeof import("@resvg/resvg-wasm").Resvg;
  readonly fonts: readonly Uint8Array[];
}

let renderer: Promise<Renderer> | null = null;

/**
 * An SVG document as PNG. Letters are drawn with DejaVu Sans, which has the Latin, Greek, Cyrillic, Arabic and Hebrew
 * scripts and mathematics, but not Chinese, Japanese or Korean.
 *
 * @param svg the document
 * @param zoom pixels of the PNG for each pixel of the document, along an edge
 * @throws CosciError `internal` when the renderer can't be loaded or refuses the document
 */
export async function pngOf(svg: string, zoom: number): Promise<Uint8Array<ArrayBuffer>> {
  renderer ??= loadRenderer().catch((error) => {
    // What failed for want of a network may work the next time.
    renderer = null;
    throw error;
  });
  try {
    const { Resvg, fonts } = await renderer;
    const image = new Resvg(svg, {
      background: "white",
      fitTo: { mode: "zoom", value: zoom },
      font: {
        fontBuffers: [...fonts],
        loadSystemFonts: false,
        defaultFontFamily: "DejaVu Sans",
        sansSerifFamily: "DejaVu Sans",
      },
    });
    try {
      const rendered = image.render();
      try {
        return await indexedPng(rendered.pixels, rendered.width, rendered.height);
      } finally {
        rendered.free();
      }
    } finally {
      image.free();
    }
  } catch (error) {
    throw new CosciError(
      "internal",
      `The figure can't be made a PNG: ${messageOf(error)}. Save it as .svg.`,
      {
        cause: error,
      },
    );
  }
}

/** Loaded when first used, and once: a second initialisation of the module is an error. */
async function loadRenderer(): Promise<Renderer> {
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  // The font package has no code; importing its description is what makes Deno fetch it.
  await import("dejavu-fonts-ttf/package.json", { with: { type: "json" } });
  const [wasm, ...fonts] = await Promise.all([
    Deno.readFile(new URL(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))),
    ...FONT_FILES.map((name) => Deno.readFile(new URL(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`)))),
  ]);
  await initWasm(wasm);
  return { Resvg, fonts };
}

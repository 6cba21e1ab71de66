import assert from "node:assert/strict";
import { crc32, inflateSync } from "node:zlib";
import { indexedPng } from "../../../lib/notebook/plots/indexed_png.ts";

interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Bits of an index, kind of colour, compression, filter, interlacing. */
  readonly methods: readonly number[];
  /** Red, green and blue of each pixel. */
  readonly pixels: readonly number[];
}

/** Reads a PNG with a palette and no filter by its specification; a wrong checksum is an error. */
function decoded(png: Uint8Array): Decoded {
  const chunks = new Map<string, Uint8Array>();
  const view = new DataView(png.buffer, png.byteOffset);
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const body = png.subarray(at + 4, at + 8 + length);
    assert.equal(view.getUint32(at + 8 + length), crc32(body));
    chunks.set(new TextDecoder().decode(body.subarray(0, 4)), body.subarray(4));
    at += 12 + length;
  }
  assert.deepEqual([...chunks.keys()], ["IHDR", "PLTE", "IDAT", "IEND"]);
  const part = (name: string) => chunks.get(name) ?? new Uint8Array();
  const header = part("IHDR");
  const [width, height] = [0, 4].map((at) => new DataView(header.buffer, header.byteOffset).getUint32(at));
  assert.ok(width !== undefined && height !== undefined);
  const rows = inflateSync(part("IDAT"));
  assert.equal(rows.length, (width + 1) * height);
  const pixels = Array.from({ length: height }, (_, y) => {
    const row = rows.subarray(y * (width + 1), (y + 1) * (width + 1));
    assert.equal(row[0], 0, "no filter");
    return [...row.subarray(1)].flatMap((index) => [...part("PLTE").subarray(3 * index, 3 * index + 3)]);
  }).flat();
  return { width, height, methods: [...header.subarray(8)], pixels };
}

const opaque = (rgb: readonly (readonly number[])[]) =>
  Uint8Array.from(rgb.flatMap((color) => [...color, 255]));

Deno.test("a picture of at most 256 colours is kept pixel by pixel", async () => {
  const rgb = Array.from({ length: 16 * 16 }, (_, i) => [i, 255 - i, (i * 7) % 256]);
  const png = await indexedPng(opaque(rgb), 16, 16);
  assert.deepEqual(decoded(png), { width: 16, height: 16, methods: [8, 3, 0, 0, 0], pixels: rgb.flat() });
});

Deno.test("of more colours the rarest become the nearest of the others", async () => {
  // 256 colours twice, far apart, and one of them a little off, once.
  const many = Array.from({ length: 256 }, (_, i) => [(i % 16) * 16, Math.floor(i / 16) * 16, 0]);
  const rgb = [...many, ...many, [161, 32, 1]];
  const { pixels } = decoded(await indexedPng(opaque(rgb), 27, 19));
  assert.deepEqual(pixels, [...many, ...many, [160, 32, 0]].flat());
});

Deno.test("the same picture is the same bytes", async () => {
  const pixels = opaque([[1, 2, 3], [4, 5, 6], [1, 2, 3], [7, 8, 9]]);
  assert.deepEqual(await indexedPng(pixels, 2, 2), await indexedPng(pixels, 2, 2));
});

import { rng } from "../domain/rng.ts";

const COUNT = 65_536;

let normals: Float64Array | null = null;

/**
 * Standard normal draws that all questions share, always the same ones, so that an answer by draws is a function of what
 * was asked. Not to be changed.
 */
export function standardNormals(): Float64Array {
  return normals ??= fill();
}

function fill(): Float64Array {
  const chance = rng("tournament", "standard normals", "draws");
  return Float64Array.from({ length: COUNT }, () => chance.normal());
}

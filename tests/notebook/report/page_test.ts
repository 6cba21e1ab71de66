import assert from "node:assert/strict";
import { ownNames } from "../../../lib/notebook/report/page.ts";

Deno.test("figures that use the same names for their parts keep apart on one page", () => {
  const svg =
    '<svg><clipPath id="clip-7"/><g clip-path="url(#clip-7)" id="a"><use href="#a"/><use xlink:href="#x"/></g></svg>';
  assert.equal(
    ownNames(svg, "elo"),
    '<svg><clipPath id="elo-1"/><g clip-path="url(#elo-1)" id="elo-2"><use href="#elo-2"/><use xlink:href="#x"/></g></svg>',
  );
  assert.equal(
    ownNames(svg.replaceAll("7", "9"), "elo"),
    ownNames(svg, "elo"),
    "whatever number a drawing was given",
  );
});

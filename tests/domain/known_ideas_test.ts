/** A proposal is a known idea where it is about all its names and nothing beside them. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { knownByWords, knownSentences } from "../../lib/domain/known_ideas.ts";

const DOUBLET = ["venetoclax + azacitidine"];
const titled = (title: string, statement = "It works.") => ({ title, statement });

const SAME = [
  "Combining azacitidine with venetoclax in AML",
  "Venetoclax and azacitidine prolong remission",
  "VENETOCLAX/AZACITIDINE",
  "Low-dose azacitidine with venetoclax",
  "In AML, venetoclax plus azacitidine prolongs survival",
  "Synergy of venetoclax and azacitidine",
  "Treatment with venetoclax and oral azacitidine",
  "Venetoclax, a BCL-2 inhibitor, and azacitidine",
  "Venetoclax sensitises blasts to azacitidine",
  "Venetoclax-azacitidine-based therapy in AML",
  "Adding venetoclax to azacitidine",
];
for (const title of SAME) {
  Deno.test(`known: ${title}`, () => assert.equal(knownByWords(DOUBLET, titled(title)), DOUBLET[0]));
}

const WITH_A_THIRD = [
  "Venetoclax + azacitidine + gilteritinib",
  "Venetoclax, azacitidine and gilteritinib",
  "Venetoclax, azacitidine, gilteritinib in AML",
  "Venetoclax plus azacitidine with gilteritinib",
  "Venetoclax–azacitidine–gilteritinib",
  "Venetoclax, gilteritinib and azacitidine",
  "Gilteritinib, venetoclax and azacitidine",
  "Gilteritinib with venetoclax and azacitidine",
  "Gilteritinib combined with venetoclax and azacitidine",
  "Gilteritinib together with venetoclax and azacitidine",
  "Adding gilteritinib to venetoclax plus azacitidine",
  "A triplet of gilteritinib, venetoclax and azacitidine",
];
const AS_BACKGROUND = [
  "MCL-1 loss predicts resistance to venetoclax + azacitidine",
  "Ruxolitinib after venetoclax and azacitidine",
  "Venetoclax and azacitidine resistance is driven by MCL-1",
  "Sleep in patients treated with venetoclax and azacitidine",
];
const OTHERS = ["Venetoclax in AML", "Venetoclaxine + azacitidine", "Azacitidine alone"];
for (const title of [...WITH_A_THIRD, ...AS_BACKGROUND, ...OTHERS]) {
  Deno.test(`new: ${title}`, () => assert.equal(knownByWords(DOUBLET, titled(title)), null));
}

Deno.test("the statement counts where the title doesn't hold all names, and a third partner in it always", () => {
  const statement = "Azacitidine with venetoclax lowers blast counts.";
  assert.equal(knownByWords(DOUBLET, titled("A doublet for the elderly", statement)), DOUBLET[0]);
  const third = "Venetoclax and azacitidine plus gilteritinib lower blast counts.";
  assert.equal(knownByWords(DOUBLET, titled("Venetoclax and azacitidine in AML", third)), null);
});

Deno.test("a single name, names of several words, and what comes after a preposition", () => {
  assert.equal(knownByWords(["metformin"], titled("Metformin slows AML growth")), "metformin");
  assert.equal(knownByWords(["metformin"], titled("Metformin plus statins slow AML growth")), null);
  assert.equal(
    knownByWords(["combination of arsenic trioxide and ATRA"], titled("ATRA with arsenic trioxide")),
    "combination of arsenic trioxide and ATRA",
  );
  assert.equal(knownByWords(["arsenic trioxide + ATRA"], titled("ATRA with an arsenic compound")), null);
  assert.equal(
    knownByWords(["metformin in AML"], titled("Metformin slows the growth of AML")),
    "metformin in AML",
  );
  assert.equal(knownByWords(["metformin in diabetes"], titled("Metformin slows the growth of AML")), null);
});

Deno.test("names in any script, in any case and form", () => {
  assert.equal(knownByWords(["二甲双胍"], titled("二甲双胍可治疗白血病")), "二甲双胍");
  assert.equal(
    knownByWords(["ДИКЛОФЕНАК + аспирин"], titled("Аспирин и диклофенак")),
    "ДИКЛОФЕНАК + аспирин",
  );
  assert.equal(knownByWords(["café + thé"], titled("Thé and cafe\u0301")), "café + thé");
});

Deno.test("a sentence is known by nine in ten of its words, unless one of the two denies it", () => {
  const known = ["Statins lower the risk of relapse in acute leukaemia"];
  const said = "In acute leukaemia statins lower the risk of relapse.";
  assert.equal(knownByWords(known, titled("Statins", said)), known[0]);
  assert.equal(
    knownByWords(known, titled("Statins", "In acute leukaemia statins do not lower the risk of relapse.")),
    null,
  );
  assert.equal(knownByWords(known, titled("Statins", "Statins lower cholesterol.")), null);
  assert.deepEqual(knownSentences([...known, ...DOUBLET]), known);
});

Deno.test("any text can be asked about, and without known ideas nothing is known", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary" })),
      fc.string(),
      fc.string(),
      (known, title, statement) => {
        knownByWords(known, { title, statement });
        assert.equal(knownByWords([], { title, statement }), null);
      },
    ),
    { numRuns: 300 },
  );
});

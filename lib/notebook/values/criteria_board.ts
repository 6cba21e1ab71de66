import type { Criterion } from "../../domain/criteria.ts";
import { inputError } from "../../domain/errors.ts";
import { byCriteriaTotal, byCriterion, type CriteriaRow } from "../../engine/criteria_board.ts";
import { type CriteriaBoardData, criteriaDisplay } from "../displays/criteria.ts";
import { DisplayedList } from "./displayed_list.ts";
import { frozenCopy } from "./frozen.ts";

/** How the hypotheses do by each of the scientist's criteria, best place first. */
export class CriteriaBoard extends DisplayedList<CriteriaRow, CriteriaBoardData> {
  readonly #board: CriteriaBoardData;

  /**
   * Copies what it is given.
   *
   * @param data its rows, and of what they are; it is copied
   */
  constructor(data: CriteriaBoardData) {
    super(data, criteriaDisplay);
    this.#board = frozenCopy(data);
  }

  /** What is asked of every hypothesis. */
  get criteria(): readonly Readonly<Criterion>[] {
    return this.#board.criteria;
  }

  /** What is missing or out of date, and what to do about it. */
  get notes(): readonly string[] {
    return this.#board.notes;
  }

  /**
   * The same, best first by one criterion, or by `total`, the mean of all by their weights.
   *
   * @throws CosciError `input` for a name that no criterion has
   */
  by(name: string): CriteriaBoard {
    const { criteria, rows } = this.#board;
    const wanted = String(name).trim().toLowerCase();
    const found = criteria.find((criterion) => criterion.name.toLowerCase() === wanted);
    if (found !== undefined) {
      return new CriteriaBoard({ ...this.#board, rows: byCriterion(rows, found.name), sortedBy: found.name });
    }
    if (wanted === "total") {
      return new CriteriaBoard({ ...this.#board, rows: byCriteriaTotal(rows), sortedBy: "total" });
    }
    const names = [...criteria.map((criterion) => criterion.name), "total"];
    throw inputError(
      "criteria.by",
      name,
      `Give one of ${names.map((each) => `"${each}"`).join(", ")}.`,
      names,
    );
  }
}

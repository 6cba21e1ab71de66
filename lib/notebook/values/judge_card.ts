import { type JudgeCardData, judgeDisplay } from "../displays/judge_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface JudgeCard extends JudgeCardData {}

/** How the judges of a session judge: their biases, flips, ties and faults, with what to do about them. */
export class JudgeCard extends DisplayedValue<JudgeCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: JudgeCardData) {
    super(data, judgeDisplay);
  }
}

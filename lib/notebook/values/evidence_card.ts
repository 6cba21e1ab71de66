import type { EvidenceCardData } from "../displays/cards.ts";
import { evidenceDisplay } from "../displays/evidence_card.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface EvidenceCard extends EvidenceCardData {}

/** A result of a person, or a finding that was read. */
export class EvidenceCard extends DisplayedValue<EvidenceCardData> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: EvidenceCardData) {
    super(data, evidenceDisplay);
  }
}

import { type SnapshotContent, snapshotDisplay } from "../displays/snapshot.ts";
import { DisplayedValue } from "./displayed_value.ts";

/** Its fields: those of its data. */
export interface Snapshot extends SnapshotContent {}

/** Where a session stands at a seq, with what goes on at the moment. */
export class Snapshot extends DisplayedValue<SnapshotContent> {
  /**
   * Copies what it is given.
   *
   * @param data what it says; it is copied
   */
  constructor(data: SnapshotContent) {
    super(data, snapshotDisplay);
  }
}

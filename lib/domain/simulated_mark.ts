/** What stands above every overview of a simulated session. */
export const SIMULATED_MARK =
  "**SIMULATED.** Models, literature and findings of this session are invented by cosci's simulator; nothing here is real.";

/** What the first cell of a notebook does: imports cosci and creates a session in the store whose path is given. */
import { Supervisor } from "cosci";

const lab = await Supervisor.create({
  name: "first cell",
  goal: "What makes invented cells glow?",
  store: Deno.args[0],
  environment: {},
});
await lab.close();

/** A process that claims and ends tasks of a session until there are none left, and prints the keys of those it had. */
import { Store } from "../../lib/store/store.ts";
import { claimNext, ending } from "./fixture.ts";

const [path = "", session = ""] = Deno.args;
const store = new Store({ database: path });
const owner = store.owners.enter();
// The start is given when all are there, so that they really meet.
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
await Deno.stdin.read(new Uint8Array(1));
const keys: string[] = [];
for (let claim = claimNext(store, session, owner); claim !== null; claim = claimNext(store, session, owner)) {
  const held = claim;
  keys.push(claim.task.key);
  if (store.commit(session, () => ending(held, owner)) === null) throw new Error(`lost ${claim.task.key}`);
}
await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(keys)}\n`));
store.owners.leave(owner);
store.close();

/** A process that enters a store as an owner, says so, and stays until it is killed or told to leave by a line. */
import { Owners } from "../../lib/store/owners.ts";

const owners = new Owners(Deno.args[0] ?? "");
const owner = owners.enter();
await Deno.stdout.write(new TextEncoder().encode(`${owner}\n`));
await Deno.stdin.read(new Uint8Array(1));
owners.leave(owner);

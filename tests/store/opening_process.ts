/** A process that opens a store when it is told to. */
import { Store } from "../../lib/store/store.ts";

await Deno.stdout.write(new TextEncoder().encode("ready\n"));
await Deno.stdin.read(new Uint8Array(1));
const store = new Store({ database: Deno.args[0] ?? "" });
await Deno.stdout.write(new TextEncoder().encode("open\n"));
store.close();

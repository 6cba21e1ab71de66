/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { jobSchema, runJob } from "./jobs.ts";

self.onmessage = (event: MessageEvent<unknown>) => self.postMessage(runJob(jobSchema.parse(event.data)));

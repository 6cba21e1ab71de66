import { type Job, type JobReply, jobReplySchema } from "./jobs.ts";

/**
 * Runs jobs in `workers` workers, each as soon as one is free, in the order given.
 *
 * @param onDone told of every job that is done
 */
export async function runJobs(
  jobs: readonly Job[],
  workers: number,
  onDone: (job: Job, reply: JobReply) => void,
): Promise<void> {
  const queue = [...jobs];
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, async () => {
    const worker = new Worker(new URL("./job_worker.ts", import.meta.url), { type: "module" });
    try {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        onDone(job, await ask(worker, job));
      }
    } finally {
      worker.terminate();
    }
  }));
}

async function ask(worker: Worker, job: Job): Promise<JobReply> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.onmessage = (event: MessageEvent<unknown>) => resolve(event.data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(`${job.policy} on ${job.scenario}: ${event.message}`));
  };
  worker.postMessage(job);
  return jobReplySchema.parse(await promise);
}

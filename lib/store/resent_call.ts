/** What stands for a task where a person has call `n` asked again: calls that belong to no task. `seq`: the newest commit. */
export function resendId(n: number, seq: number): string {
  return `resend/${n}/${seq}`;
}

/** The number of the call that a call made under this task's id asks again; `null` for a task's own call. */
export function resentCall(taskId: string): number | null {
  const n = /^resend\/(\d+)\//.exec(taskId)?.[1];
  return n === undefined ? null : Number(n);
}

import { z } from "zod";
import { CosciError, inputError } from "../domain/errors.ts";
import { rehearse, type RehearsedCall } from "../engine/rehearsal.ts";
import { callerDeps, type Services } from "../engine/work_context.ts";
import { ModelCalls } from "../llm/model_call.ts";
import type { ResentAnswer, ResentData } from "../notebook/displays/resent.ts";
import type { SqlCallLedger } from "../store/budget.ts";
import { resendId, resentCall } from "../store/resent_call.ts";
import { readTranscripts, type TranscriptRecord } from "../store/transcripts.ts";
import { AttributedLedger } from "./attributed_ledger.ts";
import { lineDiff } from "./line_diff.ts";
import { originOf } from "./look.ts";
import { conversationsOf, isOpening, scriptUpTo } from "./past_calls.ts";
import { refusePaused } from "./session_control.ts";
import { readAuthor, requireSteerable, type Steered } from "./steer.ts";
import { type OptionsRule, requireOptions } from "./wrong_option.ts";

/** How a call is asked again. */
export interface ResendOptions {
  /** Another text of its prompt, rendered with the same variables; the one of then by default. */
  readonly prompt?: string | undefined;
  /** Another model; the one of then by default. */
  readonly model?: string | undefined;
  /** Who asks. @default {"person"} */
  readonly author?: string | undefined;
  /** Cuts the call. */
  readonly signal?: AbortSignal | undefined;
}

const RESEND: OptionsRule = {
  shape: z.strictObject({
    prompt: z.string().optional(),
    model: z.string().trim().min(1).optional(),
    author: z.unknown().optional(),
    signal: z.instanceof(AbortSignal).optional(),
  }),
  example: '{ model: "claude-haiku-4-5-20251001" }',
  remedies: {
    prompt: "Give a template as a text.",
    model: "Give the id of a model.",
    signal: "Give the signal of an AbortController.",
  },
};

/** A call that is to be asked again, and everything that is needed for it. */
export interface Resending {
  /** Asks. */
  send(signal: AbortSignal): Promise<ResentData>;
}

/**
 * Makes ready what is asked again: the task's own work is rehearsed on the records of its claim, with the answers that it
 * got, up to the call. Nothing is asked and nothing written before `send`.
 *
 * @param ledger what pays: the share of the agent whose call it was
 * @throws CosciError `input` for a number that is no call's, `state` for one that can't be asked again or a session that is
 * over or paused, `prompt` for a wrong text
 */
export async function resending(
  on: Steered,
  services: Services,
  ledger: SqlCallLedger,
  n: number,
  options: ResendOptions,
): Promise<Resending> {
  const view = on.view();
  requireOptions("resend", options, RESEND);
  const author = readAuthor("resend", options.author);
  requireSteerable(view, "resend");
  refusePaused(view, "resend");
  const [call] = Number.isInteger(n) ? readTranscripts(on.store.sql, on.session, { n }) : [];
  if (call === undefined) throw inputError("resend", n, "transcripts() lists the calls with their numbers.");
  const { claim } = call;
  const task = view.task(call.taskId)?.record;
  const original = resentCall(call.taskId);
  if (original !== null) {
    throw cant(n, `it is itself call ${original} asked again: resend(${original}) asks that one`);
  }
  if (call.prompt === "") throw cant(n, "it is an embedding, which has no prompt");
  if (claim === null || task === undefined) {
    throw cant(n, "what it was made from was not kept: an earlier version of cosci made it");
  }
  if (!isOpening(call)) {
    throw cant(n, "it is a later turn of a conversation; the call that opens one can be resent");
  }
  const attempt = readTranscripts(on.store.sql, on.session, { taskId: call.taskId })
    .filter(({ seq }) => seq === call.seq);
  const conversations = conversationsOf(attempt);
  const then = on.store.view(on.session, claim.seq);
  const asOfThen = services.prompts.with(then.prompts);
  const prompts = options.prompt === undefined ? asOfThen : asOfThen.with({ [call.prompt]: options.prompt });
  const agent = services.agents.find((each) =>
    each.name === task.agent && each.actions.includes(task.action)
  );
  if (agent === undefined) throw new CosciError("internal", `No agent does ${task.agent}/${task.action}`);
  const input = agent.prepare(then, task, claim.decision);
  const work = { task, view: then, revision: call.revision, claim, callsBase: 0, prompts };
  const reach = async (library: typeof prompts, model: string | undefined): Promise<RehearsedCall> => {
    const reached = await rehearse(
      { ...work, prompts: library },
      services,
      ledger,
      scriptUpTo(conversations, n, model),
      (context) => agent.run(input, context),
    );
    if (reached === null) throw cant(n, "as the records of then say, its task asks no such call");
    return reached;
  };
  const same = await reach(asOfThen, undefined);
  const { scope, intended } = await reach(prompts, options.model);
  const question = conversations.find(({ calls }) => calls.some((each) => each.n === n))?.question;
  const notes = questionOf(same) === question ? [] : [
    "The question could not be rebuilt word for word: cosci's own prompts, or what they are given, changed since.",
  ];
  const deps = callerDeps(work, services, ledger, new AbortController().signal);
  const id = resendId(n, view.seq);
  const texts = [asOfThen, prompts].map((library) => library.source(call.prompt));
  const [before = "", after = ""] = texts;
  return {
    async send(signal) {
      const calls = new ModelCalls({
        ...deps,
        signal,
        task: { id, key: id },
        ledger: new AttributedLedger({
          store: on.store,
          session: on.session,
          ledger,
          taskId: id,
          kind: "resend",
          author,
        }),
      });
      await calls.call(scope, intended, 0);
      const made = readTranscripts(on.store.sql, on.session, { taskId: id }).at(-1);
      if (made === undefined) throw new CosciError("internal", `The transcript of ${id} was not kept`);
      return {
        ...originOf(on.view()),
        prompt: call.prompt,
        was: answerOf(call),
        now: answerOf(made),
        text: before === after ? [] : lineDiff(before, after),
        notes,
      };
    },
  };
}

function cant(n: number, why: string): CosciError {
  return new CosciError("state", `resend: call ${n} can't be asked again: ${why}.`);
}

function questionOf({ intended: { turns } }: RehearsedCall): string | undefined {
  const [block] = turns[0]?.content ?? [];
  return block?.type === "text" && typeof block.text === "string" ? block.text : undefined;
}

function answerOf(call: TranscriptRecord): ResentAnswer {
  const { n, model, promptVersion, cost, stopReason, error, concessions, request, response } = call;
  return {
    n,
    model,
    promptVersion,
    usd: cost.microUsd / 1e6,
    inputTokens: cost.inputTokens,
    outputTokens: cost.outputTokens,
    stopReason,
    error,
    concessions,
    request,
    response,
  };
}

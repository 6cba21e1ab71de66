import type { PromptCall, Prose, RecordCall, Recorded } from "../domain/agent.ts";
import { agentOf } from "./afford.ts";
import { type Called, type ModelCallDeps, ModelCalls } from "./model_call.ts";
import type { PromptLibrary } from "./prompts.ts";
import { rowFor } from "./provider.ts";
import { isCut } from "./record_answer.ts";
import type { IntendedCall, Turn } from "./request.ts";
import { type Tool, toolDefinition } from "./tool.ts";
import { assistantTurn, isFinal, outputError, runToolLoop, userTurn, withMoreRoom } from "./tool_loop.ts";
import { runTools } from "./tool_use.ts";

/** What a task's caller needs. */
export interface CallerDeps extends ModelCallDeps {
  /** The prompts in force. */
  readonly prompts: PromptLibrary;
  /** The research tools that there are. */
  readonly tools: readonly Tool[];
  /** How many outside calls earlier, failed attempts of the task made: theirs are not repeated from the journal. */
  readonly ordinalBase: number;
}

/** Asks models on behalf of one task. */
export interface Caller {
  /**
   * Asks for prose.
   *
   * @throws Deferred, or CosciError `prompt`, `budget`, `provider`, `output`, `aborted` or `tape`
   */
  ask(call: PromptCall): Promise<Prose>;
  /** Asks for a record, through the tool loop. @throws as {@linkcode Caller.ask} does */
  record<T>(call: RecordCall<T>): Promise<Recorded<T>>;
  /** Outside calls so far, of models and tools, those of earlier attempts included. */
  readonly callsMade: number;
}

/** The remark on prose that lacks its end. */
const CUT_OFF = "cut off at the longest answer that was allowed";

/** How often prose that pauses is sent back. */
const MAX_PAUSES = 4;

/** Who makes the calls: {@linkcode ModelCalls}, or somebody who only wants to know what would be asked. */
export type CallMaker = Pick<ModelCalls, "call">;

/** A caller for one task. */
export function createCaller(deps: CallerDeps, calls: CallMaker = new ModelCalls(deps)): Caller {
  const { prompts, settings } = deps;
  let ordinal = deps.ordinalBase;

  /** What both kinds of call have in common. Renders everything, so that a wrong prompt fails before any call. */
  const prepare = (
    call: PromptCall,
    tools: readonly Tool[],
    record: Parameters<typeof toolDefinition> | null,
  ) => {
    const { route, session, model = settings.models[route] } = call;
    const definitions = tools.map(({ name, description, input }) => toolDefinition(name, description, input));
    if (record !== null) definitions.push(toolDefinition(...record));
    const system = [
      prompts.render("system", { agent: agentOf(route), step: call.prompt }),
      prompts.render("session", {
        goal: session.goal,
        plan: session.plan,
        known: session.known,
        criteria: session.criteria,
        feedback: session.feedback,
        directives: session.directives.map(({ text }) => text),
      }),
    ];
    const own = prompts.versionWith(call.prompt, definitions);
    const scope = {
      prompt: call.prompt,
      promptVersion: own.version,
      versions: [own, prompts.versionWith("system"), prompts.versionWith("session")],
      directives: session.directives.map(({ id }) => id),
    };
    const intend = (
      turn: Pick<IntendedCall, "turns" | "tools" | "force" | "growing"> & { readonly lengthFactor: number },
    ): IntendedCall => ({
      route,
      model,
      maxTokens: settings.maxTokens[route] * turn.lengthFactor,
      thinkingTokens: settings.thinking[route],
      system,
      turns: turn.turns,
      tools: turn.tools,
      force: turn.force,
      growing: turn.growing,
    });
    return { scope, intend, model, prompt: prompts.render(call.prompt, call.variables) };
  };

  return {
    get callsMade() {
      return ordinal;
    },

    ask: async (call) => {
      const { scope, intend, prompt } = prepare(call, [], null);
      let turns: Turn[] = [userTurn(prompt)];
      let lengthFactor = 1, pauses = 0, emptyBefore = false;
      const parts: string[] = [], concessions = new Set<string>();
      let cut: Prose | undefined;
      for (;;) {
        let called: Called;
        try {
          called = await calls.call(
            scope,
            intend({ turns, tools: [], force: null, growing: false, lengthFactor }),
            ordinal++,
          );
        } catch (error) {
          // A text that lacks its end is better than none where there is no money for a longer one.
          if (cut !== undefined && isFinal(error)) return cut;
          throw error;
        }
        const { answer, model } = called;
        for (const concession of called.concessions) concessions.add(concession);
        if (answer.stopReason === "refusal") {
          throw outputError(call.route, model, `the model refused. ${answer.text}`.trim());
        }
        if (answer.stopReason === "pause_turn" && pauses++ < MAX_PAUSES) {
          const problem = "the model paused in the middle; it was asked to go on";
          deps.onCall?.({ kind: "corrected", route: call.route, problem });
          if (answer.text !== "") parts.push(answer.text);
          if (answer.content.length > 0) turns = [...turns, assistantTurn(answer, model)];
          continue;
        }
        if (isCut(answer)) concessions.add(CUT_OFF);
        else concessions.delete(CUT_OFF);
        const text = [...parts, answer.text].filter((part) => part.trim() !== "").join("\n\n").trim();
        const prose = { text, model, promptVersion: scope.promptVersion, concessions: [...concessions] };
        if (isCut(answer) && lengthFactor === 1) {
          deps.onCall?.({ kind: "corrected", route: call.route, problem: "the answer was cut off" });
          if (text !== "") cut = prose;
          ({ turns, lengthFactor } = withMoreRoom(turns, lengthFactor));
          continue;
        }
        if (text === "") {
          if (emptyBefore) throw outputError(call.route, model, "the answer was empty, twice.");
          emptyBefore = true;
          deps.onCall?.({ kind: "corrected", route: call.route, problem: "the answer was empty" });
          continue;
        }
        return prose;
      }
    },

    record: async <T>(call: RecordCall<T>): Promise<Recorded<T>> => {
      const { record, route } = call;
      const tools = deps.tools.filter(({ name }) => call.tools.some((wanted) => wanted === name));
      const { scope, intend, model, prompt } = prepare(call, tools, [
        record.name,
        record.description,
        record.schema,
      ]);
      const result = await runToolLoop<T>({
        route,
        prompt,
        record,
        tools,
        maxTurns: call.maxTurns,
        thinks: settings.thinking[route] > 0 &&
          rowFor(model, deps.provider).thinking !== "none",
        reconsider: call.reconsider,
        ask: (turn): Promise<Called> => calls.call(scope, intend(turn), ordinal++),
        use: (uses, offered) => {
          const first = ordinal;
          ordinal += uses.length;
          return runTools(uses, offered, first, deps);
        },
        corrected: (problem) => deps.onCall?.({ kind: "corrected", route, problem }),
      });
      return { ...result, promptVersion: scope.promptVersion };
    },
  };
}

import { countActions } from "../domain/count_actions.ts";
import { CosciError, inputError } from "../domain/errors.ts";
import { proposalOf } from "../domain/gate_proposal.ts";
import { recordId, taskId } from "../domain/ids.ts";
import type { EvolutionStrategy, ReviewKind } from "../domain/records.ts";
import { usd } from "../domain/money.ts";
import type { Settings, SettingsPatch } from "../config/settings.ts";
import { embedForPerson } from "../engine/embed_for_person.ts";
import { Engine, type RunOptions } from "../engine/engine.ts";
import { estimate, type Past, pastWork, runForecast } from "../engine/estimate.ts";
import { criteriaTable } from "../engine/criteria_board.ts";
import { type NewTask, PRIORITY } from "../engine/new_task.ts";
import { redoPrice } from "../engine/redo_price.ts";
import type { RunReport } from "../engine/report.ts";
import { snapshot } from "../engine/snapshot.ts";
import { staleItems } from "../engine/staleness.ts";
import type { Totals } from "../engine/totals.ts";
import type { Services } from "../engine/work_context.ts";
import { words } from "../notebook/displays/wording.ts";
import { displaysOutcome } from "../notebook/forgotten_await.ts";
import type { Frame } from "../notebook/frames/frame.ts";
import { JUPYTER_DISPLAY, type MimeBundle } from "../notebook/kernel.ts";
import { listenInKernel } from "../notebook/listeners.ts";
import type { ProgressMode } from "../notebook/progress/mode.ts";
import { Addition } from "../notebook/values/addition.ts";
import { ChangeList } from "../notebook/values/change_list.ts";
import { CriteriaBoard } from "../notebook/values/criteria_board.ts";
import { CostTable } from "../notebook/values/cost_table.ts";
import { DirectiveCard } from "../notebook/values/directive_card.ts";
import { DirectiveList } from "../notebook/values/directive_list.ts";
import { Edit } from "../notebook/values/edit.ts";
import { Estimate } from "../notebook/values/estimate.ts";
import { EvidenceCard } from "../notebook/values/evidence_card.ts";
import { EventList } from "../notebook/values/event_list.ts";
import { Exported } from "../notebook/values/exported.ts";
import type { FrameList } from "../notebook/values/frame_list.ts";
import { GateCard } from "../notebook/values/gate_card.ts";
import { Help } from "../notebook/values/help.ts";
import { JudgeCard } from "../notebook/values/judge_card.ts";
import { MatchCard } from "../notebook/values/match_card.ts";
import { OverviewCard } from "../notebook/values/overview_card.ts";
import { Peek } from "../notebook/values/peek.ts";
import type { Rejudging } from "../notebook/values/rejudging.ts";
import { Resent } from "../notebook/values/resent.ts";
import { ReviewCard } from "../notebook/values/review_card.ts";
import { Run } from "../notebook/values/run.ts";
import { SettingsTable } from "../notebook/values/settings_table.ts";
import { SheetWritten } from "../notebook/values/sheet_written.ts";
import { Snapshot } from "../notebook/values/snapshot.ts";
import { StaleList } from "../notebook/values/stale_list.ts";
import { StartedRun } from "../notebook/values/started_run.ts";
import { Tick } from "../notebook/values/tick.ts";
import { Transcript } from "../notebook/values/transcript.ts";
import { TranscriptList } from "../notebook/values/transcript_list.ts";
import { VerdictImport } from "../notebook/values/verdict_import.ts";
import type { Simulator } from "../simulator/server.ts";
import type { Committed, Store } from "../store/store.ts";
import type { View } from "../store/view.ts";
import { commitTimes, workCosts } from "../store/work_costs.ts";
import type { Subscription } from "../telemetry/bus.ts";
import { exportSession } from "./export/export.ts";
import { readTranscripts } from "../store/transcripts.ts";
import { type Card, cardFor, evidenceCard, matchCard, overviewCard, reviewCard } from "./cards.ts";
import { direct, directiveCard, directiveRows, type DirectOptions, withdraw } from "./directives.ts";
import { blindSheet, type BlindSheetOptions, type ImportOptions, importVerdicts } from "./blind_sheet.ts";
import { newestEvent, noticesSince } from "./budget_notices.ts";
import { configure } from "./configure.ts";
import { editHypothesis, editNotes, type HypothesisEdit } from "./edit.ts";
import { hypothesisOf } from "./labels.ts";
import type { Aim } from "./live_look.ts";
import { lookAtRun } from "./look_at_run.ts";
import { joined, nextToRedo, redoTasks, selectStale, staleSince } from "./refresh.ts";
import { staleOf, staleRows } from "./stale.ts";
import { gateCard } from "./gate_card.ts";
import { accept, type AnswerOptions, type GateEdit, type Gatekeeper, refuse } from "./gate_verbs.ts";
import { type ForkOptions, forkSession } from "./fork.ts";
import { frameList, type FrameName, type FrameRows, makeFrame } from "./frames.ts";
import { judgeCardOf } from "./judge.ts";
import {
  changesOf,
  costTable,
  EVENTS_SEARCHED,
  nextLine,
  nowData,
  originOf,
  peekData,
  settingRows,
  transcriptData,
  transcriptRow,
} from "./look.ts";
import { Plots } from "./plots.ts";
import { PromptVerbs } from "./prompt_verbs.ts";
import { resending, type ResendOptions } from "./resend.ts";
import { addHypothesis, type AddOptions, type OwnHypothesis } from "./own_hypothesis.ts";
import { addResult, type OwnResult, voidResult } from "./own_results.ts";
import { addReview, amendReview, type OwnReview, type ReviewPatch, voidReview } from "./own_reviews.ts";
import { addVerdict, type VerdictOptions, voidVerdict } from "./own_verdicts.ts";
import { QueueVerbs } from "./queue_verbs.ts";
import { type AuthorOptions, merge, type MergeOptions, pin, reject, restore } from "./standing_verbs.ts";
import { transcriptFilter, type TranscriptQuery } from "./transcript_query.ts";
import {
  requireConfigureOptions,
  requireEventFilter,
  requireSteeringOptions,
  requireStepOptions,
  requireTickOptions,
  type StepOptions,
} from "./verb_options.ts";
import { rejudge, type RejudgeOptions } from "./rejudge.ts";
import { type Rerate, rerateOf } from "./rerate.ts";
import { readAuthor, requireSteerable, steer, type Steered } from "./steer.ts";
import { undoGroup, undoing } from "./undo.ts";
import { VERBS } from "./verbs.ts";
import { abort, pause, refusePaused, reopen, resume } from "./session_control.ts";
import { INSIDE, type Inside } from "./inside.ts";
import { evolutionOf, feedback, generations, matches, reviewsOf, type Stage } from "./stages.ts";
import { type OnTask, type Shown, StepProgress } from "./step_progress.ts";
import { Stepping, type StepTraits } from "./stepping.ts";
import { more, reached, readTotals, readUntil, type Until } from "./until.ts";

// A kernel must survive its Stop button from the moment on in which a notebook imports this.
listenInKernel();

/**
 * The handle on a session that a notebook drives. Stepping calls models and is asynchronous; looking is synchronous and
 * moves nothing. Everything is in the store: a new handle goes on where the old one was.
 */
export class SupervisorHandle {
  /** The open tasks: list, cancel, promote, revive; and take, answer, giveBack, for whoever does one by hand. */
  readonly queue: QueueVerbs;
  /** Rates the match log anew under other settings or without some matches; `rerate.sweep` tries several values. */
  readonly rerate: Rerate;
  /** The prompts: list, get, set, edit, load, reset, diff, preview. */
  readonly prompts: PromptVerbs;
  /** The plots: each comes back at once and is drawn when shown or saved. */
  readonly plots: Plots;
  /** Remarks on how it was opened; empty where there is nothing to say. */
  readonly notes: readonly string[];
  readonly #store: Store;
  readonly #session: string;
  readonly #services: Services & { readonly simulator: Simulator | null };
  readonly #engine: Engine;
  readonly #stepping: Stepping;
  readonly #steered: Steered;
  readonly #progress: StepProgress;
  /** They end with the handle, which may not be the only one on its store. */
  readonly #subscriptions: Subscription[] = [];
  #closed = false;

  /** Opened by the doors; see `Supervisor.create`. `progress`: where steps show theirs. */
  constructor(
    store: Store,
    session: { readonly id: string },
    services: Services & { readonly simulator: Simulator | null },
    notes: readonly string[],
    progress: ProgressMode = "auto",
  ) {
    this.#store = store;
    this.#session = session.id;
    this.#services = services;
    this.#engine = new Engine(store, session.id, services);
    this.#stepping = new Stepping(store, session.id, this.#engine);
    this.#steered = {
      store,
      session: session.id,
      view: () => this.view(),
      changed: () => {
        this.#engine.budgetChanged();
        this.#engine.forgive();
      },
    };
    this.#progress = new StepProgress(this.#steered, services.clock, this.#engine.ledger, progress);
    this.queue = new QueueVerbs(this.#steered, services.agents);
    this.rerate = rerateOf(this.#steered);
    this.prompts = new PromptVerbs(
      this.#steered,
      services,
      this.#engine.ledger,
      () => this.#engine.pendingPrompts,
    );
    this.plots = new Plots(this.#steered, () => this);
    this.notes = notes;
  }

  /** The session's name. */
  get name(): string {
    return this.view().session.name;
  }

  /** The simulator behind a simulated session: its bill, its requests, its truth. `null` for live models. */
  get simulator(): Simulator | null {
    return this.#services.simulator;
  }

  /** The records as they stand, or stood at a seq: what everything else is made from. */
  view(seq?: number): View {
    this.#requireOpen();
    return this.#store.view(this.#session, seq);
  }

  /**
   * The store under the session: for tests and tools of this project.
   *
   * @internal
   */
  get store(): Store {
    return this.#store;
  }

  /**
   * What comparisons and the command line need of it.
   *
   * @internal
   */
  get [INSIDE](): Inside {
    return {
      promptTexts: () => {
        const prompts = this.#services.prompts.with(this.view().prompts);
        return new Map(prompts.names.map((name) => [name, prompts.source(name)]));
      },
      look: (until) => this.#progress.look(this.#aimOf(until)),
      play: (verb, tasks, options) => this.#play(verb, tasks, options),
    };
  }

  // Stepping

  /** One step: the next task, or the next few side by side. */
  @displaysOutcome
  async tick(options: StepOptions & { readonly tasks?: number | undefined } = {}): Promise<Tick> {
    requireTickOptions(options);
    const tasks = options.tasks ?? 1;
    const shown = { verb: "tick", aim: tasksOf(tasks), ending: () => "done" };
    return await this.#step(shown, options, async (signal, onTask) => {
      const before = this.view();
      const feedbackBefore = before.feedback.length;
      const eventsBefore = newestEvent(this.#store.log, this.#session);
      const report = await this.#engine.step(tasks, signal);
      for (const each of report.ran) onTask(each);
      const view = this.view();
      return new Tick({
        ...report,
        ...originOf(view),
        status: view.status,
        nextLine: nextLine(view, this.#engine.peek()),
        feedback: view.feedback.length > feedbackBefore ? snapshot(view).feedback : null,
        notices: noticesSince(this.#store.log, this.#session, eventsBefore),
      });
    }, { alsoDone: true, endsAtGate: true });
  }

  /** Steps one by one, until a condition is reached or nothing is left to do. */
  async *ticks(until: Until = {}): AsyncGenerator<Tick> {
    this.#requireOpen();
    const goal = readUntil(until, "ticks");
    const { signal, release } = this.#stepping.interruptible();
    try {
      while (!signal.aborted && reached(goal, this.view(), NOTHING_IN_HAND) === "no") {
        const tick = await this.tick({ signal, progress: "none" });
        if (tick.waiting !== null && this.view().status === "running") {
          // A task that waits for its next try, or another process: as in a run, that is no end.
          await this.#nap(signal);
          continue;
        }
        yield tick;
        if (tick.stop !== null || tick.gate !== null || tick.waiting !== null) return;
      }
    } finally {
      release();
    }
  }

  /** Runs until totals are reached (`{ matches: 20 }`: twenty in all), or a function of the snapshot says yes. */
  @displaysOutcome
  async runUntil(until: Until = {}, options: StepOptions = {}): Promise<Run> {
    const goal = readUntil(until, "runUntil");
    return await this.#run("runUntil", goal, options);
  }

  /** Runs for so much more (`{ matches: 20 }`: twenty more). */
  @displaysOutcome
  async runFor(by: Until, options: StepOptions = {}): Promise<Run> {
    const goal = more(this.view(), readUntil(by, "runFor"));
    return await this.#run("runFor", goal, options);
  }

  /** Starts a run and returns at once: other cells look and steer meanwhile. */
  start(until: Until = {}, options: StepOptions = {}): StartedRun {
    const goal = readUntil(until, "start");
    // What can be said at once must not wait in `done`, which nobody may look at.
    this.#requireRunnable("start", goal, options);
    const stop = new AbortController();
    const look = lookAtRun(
      this.#steered,
      this.#services.clock,
      this.#engine.ledger,
      this.#expected(goal),
    );
    const live = this.#progress.look(this.#aimOf(goal));
    const { onTask } = options;
    const done = this.#run("start", goal, {
      progress: "none",
      ...options,
      onTask: (report) => {
        live.told(report);
        onTask?.(report);
      },
    }, stop.signal);
    // Whoever forgets to await it still gets the error from `done`; it must not end the process.
    done.then(look.ended, look.failed);
    const watch = () =>
      this.#progress.watch(
        { verb: "start", aim: this.#aimOf(goal), ending: endedBy },
        live,
        options.progress ?? this.#progress.mode,
        done,
      );
    return new StartedRun(done, () => stop.abort(), look.now, watch);
  }

  /**
   * Writes the overview and closes the session. On a finished session it returns what was written. Where the end waits for
   * a yes (`run.gates`), what is written is a draft, and {@linkcode accept} closes the session; until then it returns the
   * draft.
   *
   * @throws CosciError `state` while another gate is open
   */
  @displaysOutcome
  async finish(options: StepOptions = {}): Promise<OverviewCard> {
    requireStepOptions("finish", options);
    const known = this.view();
    const last = known.overviews.findLast((overview) => overview.final);
    if (known.status === "done" && last !== undefined) {
      return new OverviewCard(overviewCard(known, last.id));
    }
    const draft = draftAtGate(known, "finish");
    if (draft !== null) return new OverviewCard(overviewCard(known, draft));
    return await this.#write("finish", true, options);
  }

  /** Drafts an overview at any time. */
  @displaysOutcome
  async overview(options: StepOptions = {}): Promise<OverviewCard> {
    requireStepOptions("overview", options);
    return await this.#write("overview", false, options);
  }

  /** Goes on after `finish` or `abort`. Overviews stay. */
  reopen(): void {
    this.#requireOpen();
    reopen(this.#store, this.#session);
    this.#engine.forgive();
  }

  /** Ends runs when what is in hand is done; none begins until `resume`. Wall clock stands still. */
  pause(): void {
    this.#requireOpen();
    pause(this.#store, this.#session);
  }

  /** Ends a pause. */
  resume(): void {
    this.#requireOpen();
    resume(this.#store, this.#session);
    this.#engine.forgive();
  }

  /** Aborts the session: calls in flight are cut, no further one is made. */
  abort(): void {
    this.#requireOpen();
    abort(this.#store, this.#session);
    this.#engine.cut();
  }

  // One stage

  /** Generates `n` hypotheses now. */
  @displaysOutcome
  async generate(n = 1, options: StepOptions = {}): Promise<Run> {
    return await this.#stage("generate", options, generations(n));
  }

  /** Reviews hypotheses now. */
  @displaysOutcome
  async reflect(
    labels: string | readonly string[],
    kind: ReviewKind = "full",
    options: StepOptions = {},
  ): Promise<Run> {
    return await this.#stage("reflect", options, reviewsOf(labels, kind));
  }

  /** Plays `n` matches now; where groups are judged, `n` calls, each of which may make several. */
  @displaysOutcome
  async rank(n = 1, options: StepOptions = {}): Promise<Run> {
    return await this.#stage("rank", options, matches(n));
  }

  /** Evolves the leaders by one strategy, or the hypotheses named. */
  @displaysOutcome
  async evolve(
    strategy: EvolutionStrategy,
    labels: string | readonly string[] = [],
    options: StepOptions = {},
  ): Promise<Run> {
    return await this.#stage("evolve", options, evolutionOf(strategy, labels));
  }

  /** Synthesises system feedback now. */
  @displaysOutcome
  async metareview(options: StepOptions = {}): Promise<Run> {
    return await this.#stage("metareview", options, feedback);
  }

  // Looking

  /** What the next tick would do, why, and what it may cost at most; for a match, what the next ones are worth. Moves nothing. */
  peek(): Peek {
    return new Peek(peekData(this.view(), this.#engine.peek()));
  }

  /** Where things stand; with a label (`H7`, `M12`, `V3`, `T5`, `F1`, `O1`, `R2`, `G1`) or an id, what that record says. */
  inspect(): Snapshot;
  /** What one record says, by label or id. @throws CosciError `input` for an unknown label */
  inspect(label: string): Card;
  inspect(label?: string): Snapshot | Card {
    const view = this.view();
    if (label !== undefined) return cardFor(view, this.#store.sql, label);
    const { parentId } = view.session;
    const now = nowData(
      view,
      parentId === null ? null : this.#store.findSession(parentId)?.name ?? null,
      this.#store.queue(this.#session),
      this.#engine.ledger.spending(),
      this.#store.runningClock(this.#session).ranMs(),
      this.#services.clock.now(),
      this.#store.log.read(this.#session, { last: EVENTS_SEARCHED }),
    );
    return new Snapshot({ ...snapshot(view), now });
  }

  /**
   * How the judges judge: bias to a place, flips, ties, answers without a verdict, liking for length and for their own
   * family, agreement with recorded results; with warnings.
   */
  get judge(): JudgeCard {
    return new JudgeCard(judgeCardOf(this.view(), this.#store.sql));
  }

  /**
   * How the hypotheses do by each of the scientist's criteria, beside their place on the leaderboard; `.by("cost")` sorts by
   * one of them, `.by("total")` by all. Says which reviews lack a criterion.
   */
  get criteria(): CriteriaBoard {
    const view = this.view();
    return new CriteriaBoard({ ...originOf(view), ...criteriaTable(view), sortedBy: "place" });
  }

  /** All settings with value, default, by whom and since when; changed ones first when shown. */
  get settings(): SettingsTable {
    const view = this.view();
    const times = new Map(commitTimes(this.#store.sql, this.#store.stretches(this.#session)));
    return new SettingsTable({
      ...originOf(view),
      rows: settingRows(view, (seq) => times.get(seq) ?? null),
    });
  }

  /** What the session cost: by agent, by model, by prompt and its versions, by tick. */
  cost(): CostTable {
    return new CostTable(costTable(this.view(), this.#store));
  }

  /**
   * Model calls, oldest first: the newest so many, of a prompt or one of its versions, of a task or a hypothesis (by label),
   * those that carried a directive, or those that failed.
   */
  transcripts(filter: TranscriptQuery = {}): TranscriptList {
    const view = this.view();
    const calls = readTranscripts(
      this.#store.sql,
      this.#session,
      transcriptFilter(view, filter, this.#services.prompts.names),
    );
    return new TranscriptList({ ...originOf(view), rows: calls.map((call) => transcriptRow(view, call)) });
  }

  /** One model call in full, by its number. @throws CosciError `input` where there is none */
  transcript(n: number): Transcript {
    const view = this.view();
    const [call] = Number.isInteger(n) ? readTranscripts(this.#store.sql, this.#session, { n }) : [];
    if (call === undefined) {
      throw inputError("transcript", n, "transcripts() lists the calls with their numbers.");
    }
    return new Transcript(transcriptData(view, call));
  }

  /** The frames that there are, with what a row of each is: `lab.frame(name)` makes one. */
  get frames(): FrameList {
    return frameList(this.view());
  }

  /**
   * Records as plain rows, to work with here (`filter`, `map`) or in Python and R: `.csv(path)`, `.parquet(path)`. It holds
   * the records as they stand; {@linkcode frames} lists what there is.
   *
   * @throws CosciError `input` for a name that no frame has
   */
  frame<N extends FrameName>(name: N): Frame<FrameRows[N]> {
    return makeFrame(this.#store, this.view(), name);
  }

  /** What a handle can do. */
  help(): Help {
    return new Help({ title: "Supervisor", rows: VERBS });
  }

  /**
   * What it would cost to go on until totals are reached, or until the session comes to rest; the final overview
   * included. From the session's own history where there is enough of it, else from typical calls.
   *
   * @throws CosciError `input` for a condition that is not made of totals
   */
  estimate(until: Totals = {}): Estimate {
    const view = this.view();
    return new Estimate(estimate(view, readTotals(until, "estimate"), this.#past()));
  }

  /**
   * Writes the session to a file, complete in itself, in the form that the ending says: `.html` (a report to read, print or
   * send: overview, leaderboard, leading hypotheses, figures, provenance), `.md` (the same as text), `.ipynb` (a notebook that
   * shows the session with its outputs, and can be run again), `.json` (the whole session, a {@linkcode SessionExport}),
   * `.csv` (the leaderboard) or `.jsonl` (every record, one a line: the canonical export). A file that is there is replaced
   * once all is written; relative paths are of the working folder, which in a notebook is the notebook's.
   *
   * @throws CosciError `input` for another ending, where the folder isn't there or may not be written to, or where the path
   * is a folder; nothing is written then
   */
  @displaysOutcome
  async export(path: string): Promise<Exported> {
    this.#requireOpen();
    return new Exported(await exportSession(this, path));
  }

  /** Stored events, oldest first. */
  events(filter: { readonly after?: number; readonly last?: number } = {}): EventList {
    const view = this.view();
    requireEventFilter(filter);
    return new EventList({ ...originOf(view), rows: this.#store.log.read(this.#session, filter) });
  }

  /** Events as they happen in this process. */
  subscribe(): Subscription {
    this.#requireOpen();
    const subscription = this.#store.bus.subscribe(this.#session);
    this.#subscriptions.push(subscription);
    return subscription;
  }

  // Steering

  /**
   * Changes settings; past results stay. Says of each what it changes from when.
   *
   * @throws CosciError `input` for a wrong patch; `state` for a finished session and for what can't be changed any more
   */
  configure(patch: SettingsPatch, options: { readonly author?: string } = {}): ChangeList {
    requireConfigureOptions(options);
    // An embedder that lacks its key must be refused here, and not by every task from now on.
    const usable = (settings: Settings) => void this.#services.embedder({ settings });
    return new ChangeList(configure(this.#steered, patch, options.author, usable));
  }

  // Editing: a new version, what is stale since, and doing that again

  /**
   * Makes the next version of a hypothesis: a patch of its texts and citations, or a function from the record to one. Its
   * label, author, strategy and parents stay, and so does its place. What was said of the text before is stale from then
   * on ({@linkcode stale}), and done again only if {@linkcode refresh} asks for it; what is in hand about it ends void.
   *
   * @throws CosciError `input` for an unknown label or a wrong patch; `state` for a finished session, for a merged or
   * quarantined hypothesis, and where it was edited again meanwhile
   */
  @displaysOutcome
  async edit(
    label: string,
    patch: HypothesisEdit,
    options: { readonly author?: string } = {},
  ): Promise<Edit> {
    requireSteeringOptions("edit", options);
    const made = await this.#stepping.beside(undefined, (signal) =>
      editHypothesis(
        this.#steered,
        label,
        patch,
        options.author,
        (view, text, key) =>
          embedForPerson(view, [text], key, {
            services: this.#services,
            ledger: this.#engine.ledger,
            signal,
          }),
      ));
    const view = this.view();
    const standing = hypothesisOf(view, made.id, "edit");
    const { record } = standing;
    return new Edit({
      ...originOf(view),
      label: record.label,
      title: record.title,
      version: record.version,
      revision: made.seq === null ? null : view.revisions.find(({ seq }) => seq === made.seq)?.label ?? null,
      by: made.by,
      changed: made.changed,
      stale: made.seq === null ? [] : staleRows(view, staleOf(view, record.id), this.#past()),
      notes: editNotes(view, standing, made),
    });
  }

  /** What was judged on, or made from, a text that has changed since, with what doing it again is expected to cost. */
  get stale(): StaleList {
    const view = this.view();
    return new StaleList({ ...originOf(view), rows: staleRows(view, staleItems(view), this.#past()) });
  }

  /**
   * Does again what is stale: all of it, or what the labels name; a hypothesis's label stands for all that was said of it
   * or made from it. A review is made again of the newest text; a match is judged again, and the new one takes the place of
   * the stale one; a child is made anew by its strategy, as its next version; an overview is drafted again.
   *
   * @throws CosciError `input` for an unknown label; `state` for a finished or paused session, and for what no model can
   * do again
   */
  @displaysOutcome
  async refresh(labels?: string | readonly string[], options: StepOptions = {}): Promise<Run> {
    requireStepOptions("refresh", options);
    this.#requireIdle("refresh");
    const before = this.view();
    requireSteerable(before, "refresh");
    refusePaused(before, "refresh");
    const selection = selectStale(before, labels);
    const known = new Set(staleItems(before).map(({ id }) => id));
    const events = newestEvent(this.#store.log, this.#session);
    const items = staleItems(before).filter(({ id }) => selection.ids.has(id));
    const past = this.#past();
    const expected = items.reduce((sum, item) => sum + redoPrice(before, item, past).microUsd, 0);
    const reports: RunReport[] = [];
    const work = async (signal: AbortSignal, onTask: OnTask) => {
      const tried = new Set<string>();
      for (;;) {
        const next = nextToRedo(this.view(), selection, tried);
        // A pause between two parts leaves the rest as it is: stale.
        if (next.length === 0 || this.view().status === "paused") return;
        for (const { id } of next) tried.add(id);
        const report = await this.#only("refresh", (view) => redoTasks(view, next), signal, onTask);
        reports.push(report);
        if (report.endedBy !== "until") return;
      }
    };
    if (items.length > 0) {
      const aim = tasksOf(redoTasks(before, items).length);
      const ending = () => reports.slice(-1).map(endedBy).join();
      await this.#step({ verb: "refresh", aim, ending }, options, work);
    }
    return this.#shown(joined(reports), events, items.length === 0 ? null : expected, [
      ...selection.notes,
      ...staleSince(this.view(), known, selection),
    ]);
  }

  /**
   * Takes a change back: that of a revision (`"R3"`), or the newest that is left. Everything that the verb changed is put
   * back in one commit, which is a revision itself, so that undoing it brings the change back.
   *
   * @throws CosciError `state` for what was changed again since, is undone already, or can't be undone
   */
  undo(revision?: string | number, options: { readonly author?: string } = {}): ChangeList {
    requireSteeringOptions("undo", options);
    const group = undoGroup(this.view(), revision);
    const labels = group.map(({ label }) => label);
    const committed = steer(
      this.#steered,
      "undo",
      readAuthor("undo", options.author),
      (view) =>
        undoing(
          this.#steered,
          view,
          labels.flatMap((label) => undoGroup(view, label).filter((each) => each.label === label)),
        ),
    );
    const view = this.view();
    return new ChangeList(changesOf(view, view.revisions.filter(({ seq }) => seq === committed?.seq)));
  }

  // The scientist's own words: directives, hypotheses, reviews, verdicts, results, and what stays in play

  /**
   * Gives the agents an instruction, or says what you like better: from the next claimed task on it stands in the prompts
   * of all agents, or of those in `to`, until it is withdrawn or a total in `until` is reached.
   *
   * @throws CosciError `input` for an empty or overlong text, an unknown agent, or an `until` that is reached already
   */
  direct(text: string, options: DirectOptions = {}): DirectiveCard {
    return new DirectiveCard(
      directiveCard(this.view(), this.#store.sql, direct(this.#steered, text, options)),
    );
  }

  /** Ends a directive; calls of tasks claimed before still carry it. @throws CosciError `state` where it has ended */
  withdraw(label: string, options: AuthorOptions = {}): DirectiveCard {
    return this.#directiveCard(withdraw(this.#steered, label, options));
  }

  /** All directives, with whether they hold and how many calls carried them. */
  get directives(): DirectiveList {
    return new DirectiveList(directiveRows(this.view(), this.#store.sql));
  }

  /**
   * Enters your own hypothesis: a text is enough. It is reviewed next, and plays like any other; it doesn't count against
   * `run.maxIdeas`. One that repeats what is there is not entered unless `force` says so; the answer tells which one it
   * repeats. A remote embedder's call is paid from the budget.
   *
   * @throws CosciError `input` for a text without a claim
   */
  @displaysOutcome
  async addHypothesis(hypothesis: string | OwnHypothesis, options: AddOptions = {}): Promise<Addition> {
    this.#requireOpen();
    const { ledger } = this.#engine;
    return await this.#stepping.beside(undefined, async (signal) => {
      const measuring = { services: this.#services, ledger, signal };
      return new Addition(await addHypothesis(this.#steered, measuring, hypothesis, options));
    });
  }

  /**
   * Reviews a hypothesis in its newest version. It counts as a model's review does, by its weight: `disproved` takes the
   * hypothesis out, and a draft enters the tournament by it.
   *
   * @throws CosciError `state` for a hypothesis that was rejected, merged or quarantined
   */
  addReview(label: string, review: OwnReview): ReviewCard {
    return this.#reviewCard(addReview(this.#steered, label, review));
  }

  /** Puts a corrected review in the place of one, a model's or a person's, which is void from then on. */
  amendReview(label: string, patch: ReviewPatch): ReviewCard {
    return this.#reviewCard(amendReview(this.#steered, label, patch));
  }

  /** Makes a review void, a model's or a person's; a hypothesis that it alone had disproved comes back into play. */
  voidReview(label: string, reason: string, options: AuthorOptions = {}): ReviewCard {
    return this.#reviewCard(voidReview(this.#steered, label, reason, options));
  }

  /**
   * Judges a pair yourself: `winner` is the label of one of them, or `"tie"`. It is a match that both ratings count, by its
   * weight. The same pair can be judged again.
   *
   * @throws CosciError `state` where one of the two is not in the tournament
   */
  addVerdict(a: string, b: string, winner: string, options: VerdictOptions = {}): MatchCard {
    return this.#matchCard(addVerdict(this.#steered, a, b, winner, options));
  }

  /** Takes a verdict out of the ratings, a model's or a person's; of a group ranked by one call, all of its matches. */
  voidVerdict(label: string, reason: string, options: AuthorOptions = {}): MatchCard {
    return this.#matchCard(voidVerdict(this.#steered, label, reason, options));
  }

  /**
   * Records what a test of a hypothesis came to. Results outrank opinion: they order the leaderboard before ratings, stand
   * in the prompts of reviewers, judges and evolution, and calibrate the judge card.
   */
  addResult(label: string, result: OwnResult): EvidenceCard {
    return this.#evidenceCard(addResult(this.#steered, label, result));
  }

  /** Takes a result, or a finding that was read, out of account. */
  voidResult(label: string, reason: string, options: AuthorOptions = {}): EvidenceCard {
    return this.#evidenceCard(voidResult(this.#steered, label, reason, options));
  }

  /** Keeps a hypothesis in play and in the overview: it is folded under none, and no model's review takes it out. */
  pin(label: string, options: AuthorOptions = {}): ChangeList {
    return this.#changes(pin(this.#steered, label, true, options));
  }

  /** Ends a pin. */
  unpin(label: string, options: AuthorOptions = {}): ChangeList {
    return this.#changes(pin(this.#steered, label, false, options));
  }

  /** Takes a hypothesis out at once; what is open about it is cancelled, what is in hand ends void. */
  reject(label: string, reason?: string, options: AuthorOptions = {}): ChangeList {
    return this.#changes(reject(this.#steered, label, reason, options));
  }

  /** Brings a rejected, disproved or unfit hypothesis back; what the safety screen blocked stays out. */
  restore(label: string, options: AuthorOptions = {}): ChangeList {
    return this.#changes(restore(this.#steered, label, options));
  }

  /** Joins two duplicates: one stays and stands for both, with the matches and results of both. */
  merge(a: string, b: string, options: MergeOptions = {}): ChangeList {
    return this.#changes(merge(this.#steered, a, b, options));
  }

  #changes(committed: Pick<Committed, "seq"> | null): ChangeList {
    const view = this.view();
    return new ChangeList(changesOf(view, view.revisions.filter(({ seq }) => seq === committed?.seq)));
  }

  #directiveCard(id: string): DirectiveCard {
    return new DirectiveCard(directiveCard(this.view(), this.#store.sql, id));
  }

  #evidenceCard(id: string): EvidenceCard {
    return new EvidenceCard(evidenceCard(this.view(), id));
  }

  #reviewCard(id: string): ReviewCard {
    return new ReviewCard(reviewCard(this.view(), id));
  }

  #matchCard(id: string): MatchCard {
    return new MatchCard(matchCard(this.view(), this.#store.sql, id));
  }

  /** All that people changed, oldest first. */
  get revisions(): ChangeList {
    const view = this.view();
    return new ChangeList(changesOf(view, view.revisions));
  }

  // Gates: what waits for a person's yes

  /** What waits for a yes, readable, and how to answer; or that nothing does. */
  get gate(): GateCard {
    const view = this.view();
    return new GateCard(gateCard(view, view.openGate));
  }

  /**
   * Says yes to what waits at the gate, as it is or with changes; what may be changed depends on the gate.
   *
   * @throws CosciError `state` where no gate is open; `input` for a change that can't be
   */
  accept(edit: GateEdit = {}, options: AnswerOptions = {}): GateCard {
    return accept(this.#gatekeeper, edit, options);
  }

  /**
   * Says no to what waits at the gate. Whoever tries again is told the reason.
   *
   * @throws CosciError `state` where no gate is open; `input` without a reason
   */
  refuse(reason: string, options: AnswerOptions = {}): GateCard {
    return refuse(this.#gatekeeper, reason, options);
  }

  get #gatekeeper(): Gatekeeper {
    this.#requireOpen();
    return { ...this.#steered, agents: this.#services.agents };
  }

  // The blind sheet

  /**
   * Writes the pairs whose verdicts would tell most for a colleague to judge: a page to read (`.html`) and a file to fill in
   * (`.csv`), unlabelled, pairs and sides in an order drawn by lot. Which is which is kept in the store. Files that are there
   * are not written over.
   *
   * @throws CosciError `state` with fewer than two hypotheses in the tournament; `input` where the files can't be written
   */
  @displaysOutcome
  async blindSheet(options: BlindSheetOptions = {}): Promise<SheetWritten> {
    return new SheetWritten(await blindSheet(this.#steered, options));
  }

  /**
   * Reads a filled-in sheet back: each choice becomes a verdict by its author, all in one commit. Returns how they agree with the machine's
   * verdicts on the same pairs, and with other people's. A sheet that was filled in further adds what is new.
   *
   * @throws CosciError `input`, naming line and value, before anything is written; `state` where all of it is in already
   */
  @displaysOutcome
  async importVerdicts(file: string, options: ImportOptions = {}): Promise<VerdictImport> {
    return new VerdictImport(await importVerdicts(this.#steered, file, options));
  }

  // Ranking again (see also the property `rerate`)

  /**
   * Judges stored matches again, with another prompt or another model if given: agreement with the old verdicts and with people's,
   * flips, biases, cost, and what it would make of the ranking. Nothing changes until it is applied. The same call goes on
   * where an earlier one was stopped.
   *
   * @throws CosciError `input`, `prompt`, `state` or `budget` before anything is asked
   */
  @displaysOutcome
  async rejudge(options: RejudgeOptions = {}, step: StepOptions = {}): Promise<Rejudging> {
    const verb = "rejudge";
    return await rejudge(
      {
        ...this.#steered,
        prompts: this.#services.prompts,
        requireIdle: () => this.#requireIdle(verb),
        enqueue: (author, tasks) => this.#engine.enqueue(verb, author, tasks),
        run: (ids, options) =>
          this.#step(
            { verb, aim: tasksOf(ids.length), ending: endedBy },
            options,
            (stop, onTask) =>
              this.#engine.run({
                reached: (view) => (ids.some((id) => isOpen(view, id)) ? "no" : "yes"),
                concurrency: this.view().settings.run.concurrency,
                signal: stop,
                only: ids,
                onTask,
              }),
            { goesOn: false },
          ),
      },
      options,
      step,
    );
  }

  // Prompts: the verbs are `prompts`

  /**
   * Asks a call again, with another text of its prompt (rendered with the same variables) or another model, and shows both
   * answers. It is paid from the share of the agent whose call it was, kept as a transcript of its own, and changes no
   * record. Only the call that opens a conversation can be asked again.
   *
   * @throws CosciError `input` for a number that is no call's, `state` for a later turn and for a session that is over or
   * paused, `prompt` for a wrong text, `budget`, `provider`
   */
  @displaysOutcome
  async resend(n: number, options: ResendOptions = {}): Promise<Resent> {
    this.#requireOpen();
    return await this.#stepping.beside(options.signal, async (signal) => {
      const ready = await resending(this.#steered, this.#services, this.#engine.ledger, n, options);
      return new Resent(await ready.send(signal));
    });
  }

  // Forking

  /**
   * Branches off a session of its own, now or at an earlier commit: it shares the history up to there, of which nothing is
   * copied, and neither sees what the other does from then on. It has a budget of its own. Called again with the same
   * options it opens the fork that is there.
   *
   * @throws CosciError before anything is written: `input`, `prompt`, `state` or `budget`, whatever is wrong
   */
  @displaysOutcome
  fork(options: ForkOptions): Promise<SupervisorHandle> {
    return Promise.try(() => {
      const view = this.view();
      const { session, notes } = forkSession({ store: this.#store, view, services: this.#services }, options);
      return new SupervisorHandle(this.#store.share(), session, this.#services, notes, this.#progress.mode);
    });
  }

  /** Does just these tasks, as far as they aren't done. */
  async #play(verb: string, tasks: readonly NewTask[], options: StepOptions): Promise<Run> {
    const shown = { verb, aim: tasksOf(tasks.length), ending: endedBy };
    return await this.#step(shown, options, async (signal, onTask) => {
      this.#engine.enqueue(verb, "person", () => tasks);
      const ids = tasks.map(({ key }) => taskId(key));
      return await this.#report({
        reached: (view) => (ids.some((id) => isOpen(view, id)) ? "no" : "yes"),
        concurrency: this.view().settings.run.concurrency,
        signal,
        only: ids,
        onTask,
      });
    });
  }

  // Closing

  /** Lets go of the session: waits for nothing, loses nothing. Runs in this handle end first. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.#stepping.close();
    this.#closed = true;
    this.#engine.close();
    for (const subscription of this.#subscriptions) subscription.close();
    this.#store.forget(this.#session);
    this.#store.close();
  }

  /** The same, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Where the session stands, as text. */
  toString(): string {
    return this.#closed ? "A supervisor's handle that is closed." : String(this.inspect());
  }

  /** Shows in a notebook where the session stands. */
  [JUPYTER_DISPLAY](): Promise<MimeBundle> {
    return this.#closed ? Promise.resolve({ "text/plain": String(this) }) : this.inspect()[JUPYTER_DISPLAY]();
  }

  /** Shows it in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  async #nap(signal: AbortSignal): Promise<void> {
    try {
      await this.#services.clock.sleep(NAP_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** One step, with its progress shown. `work` tells of each task by the function that it is given. */
  async #step<T>(
    shown: Shown<T>,
    options: StepOptions,
    work: (signal: AbortSignal, onTask: OnTask) => Promise<T>,
    traits: StepTraits = {},
  ): Promise<T> {
    this.#requireOpen();
    return await this.#stepping.step(
      shown.verb,
      options.signal,
      (signal) => this.#progress.during(shown, options, (onTask) => work(signal, onTask)),
      traits,
    );
  }

  #requireIdle(verb: string): void {
    this.#requireOpen();
    this.#stepping.requireIdle(verb);
  }

  #requireOpen(): void {
    if (this.#closed) {
      throw new CosciError("state", "This handle is closed. Supervisor.open gives another one.");
    }
  }

  /** Refuses what is wrong with a run before the session is written to: a busy handle, a question that is no yes or no. */
  #requireRunnable(verb: string, until: Until, options: StepOptions): void {
    requireStepOptions(verb, options);
    this.#requireIdle(verb);
    reached(until, this.view(), NOTHING_IN_HAND);
  }

  async #run(verb: string, until: Until, options: StepOptions, stop?: AbortSignal): Promise<Run> {
    this.#requireRunnable(verb, until, options);
    const expected = this.#expected(until);
    const shown = { verb, aim: this.#aimOf(until), ending: endedBy };
    return await this.#step(shown, options, (signal, onTask) =>
      this.#report({
        reached: (view, inHand) => reached(until, view, inHand),
        countsInHand: typeof until !== "function",
        concurrency: this.view().settings.run.concurrency,
        signal,
        stop,
        onTask,
      }, expected), { alsoDone: true, endsAtGate: true });
  }

  async #report(options: RunOptions, expectedMicroUsd: number | null = null): Promise<Run> {
    const before = newestEvent(this.#store.log, this.#session);
    return this.#shown(await this.#engine.run(options), before, expectedMicroUsd, []);
  }

  /** A run as it is shown. @param before the number of the newest event when it began */
  #shown(report: RunReport, before: number, expectedMicroUsd: number | null, notes: readonly string[]): Run {
    const view = this.view();
    return new Run({
      ...report,
      ...originOf(view),
      snapshot: snapshot(view),
      expectedUsd: expectedMicroUsd === null ? null : usd(expectedMicroUsd),
      notices: noticesSince(this.#store.log, this.#session, before),
      notes,
    });
  }

  /** What the session's own tasks did cost so far. */
  #past(): Past {
    return pastWork(
      this.#store.stretches(this.#session).flatMap((stretch) => workCosts(this.#store.sql, stretch)),
    );
  }

  /** What a run is expected to cost, in micro-dollars; `null` for a condition that can't be foreseen. */
  #expected(until: Until): number | null {
    return typeof until === "function" ? null : runForecast(this.view(), until, this.#past()).microUsd;
  }

  /** What a run is shown to go towards. */
  #aimOf(until: Until): Aim {
    // What tasks cost is looked up once: a forecast of their number hardly hangs on it.
    let past: Past | null = null;
    return {
      kind: "totals",
      until,
      tasks: (view) =>
        typeof until === "function" ? null : runForecast(view, until, past ??= this.#past()).tasks,
    };
  }

  /** Enqueues tasks that a person asked for, ahead of others, and runs just these. */
  async #only(
    verb: string,
    tasks: Stage,
    signal: AbortSignal,
    onTask: OnTask,
  ): Promise<RunReport> {
    refusePaused(this.view(), verb);
    const made = this.#engine.enqueue(
      verb,
      "person",
      (view) => tasks(view).map((task) => ({ ...task, priority: PRIORITY.asked })),
    );
    const ids = made.map((task) => task.id);
    return await this.#engine.run({
      reached: (view) => (ids.some((id) => isOpen(view, id)) ? "no" : "yes"),
      concurrency: this.view().settings.run.concurrency,
      signal,
      only: ids,
      onTask,
    });
  }

  /** Enqueues tasks that a person asked for, ahead of others, and runs just these. */
  async #stage(
    verb: string,
    options: StepOptions,
    tasks: Stage,
  ): Promise<Run> {
    requireStepOptions(verb, options);
    this.#requireIdle(verb);
    const before = this.view();
    refusePaused(before, verb);
    if (before.plan === null) {
      const gate = before.openGate;
      throw new CosciError(
        "state",
        gate === null
          ? `${verb}: there is no research plan yet. await lab.tick() makes it first.`
          : `${verb}: the research plan waits at ${gate.label}: lab.accept() or lab.refuse(reason) first.`,
      );
    }
    // What is wrong with the labels must be said before the session is written to.
    const shown = { verb, aim: tasksOf(tasks(before).length), ending: endedBy };
    return await this.#step(shown, options, async (signal, onTask) => {
      const events = newestEvent(this.#store.log, this.#session);
      return this.#shown(await this.#only(verb, tasks, signal, onTask), events, null, []);
    });
  }

  async #write(verb: string, final: boolean, options: StepOptions): Promise<OverviewCard> {
    const shown = { verb, aim: tasksOf(1), ending: ({ label }: OverviewCard) => `${label} is written` };
    return await this.#step(shown, options, async (signal, onTask) => {
      refusePaused(this.view(), verb);
      // One that a killed process left, or that another one is writing, is the one that is meant; but not if the session
      // went on since it was asked for.
      const open = (view: View) =>
        view.openTasks.find(({ record }) => record.action === "overview" && record.payload.final === final);
      const left = open(this.view())?.record;
      if (left !== undefined && left.seq !== this.view().seq) {
        this.#engine.withdraw(left.id, `${verb}: the session went on since`);
      }
      const [made] = this.#engine.enqueue(verb, "person", (view) =>
        open(view) !== undefined ? [] : [{
          key: `overview/${final ? "final" : "draft"}/${view.seq}`,
          action: "overview",
          payload: { final },
        }]);
      const task = made ?? open(this.view())?.record;
      if (task === undefined) {
        throw new CosciError("internal", `${verb}: the overview's task was not enqueued`);
      }
      const run = await this.#engine.run({
        reached: (view) => (isOpen(view, task.id) ? "no" : "yes"),
        concurrency: 1,
        signal,
        only: [task.id],
        onTask,
      });
      const view = this.view();
      const written = view.overviews.find((overview) => overview.id === recordId("ovw", task.key));
      if (written === undefined) {
        const why = run.lastFailures.at(-1)?.error ?? run.stop?.note ?? `it was ${run.endedBy}`;
        this.#engine.withdraw(task.id, `${verb}: ${run.endedBy}`);
        throw new CosciError("state", `${verb}: no overview was written: ${why}. ${verb}() tries again.`);
      }
      return new OverviewCard(overviewCard(view, written.id));
    }, { goesOn: false });
  }
}

/** How long ticks wait before they look again. */
const NAP_MS = 250;

const NOTHING_IN_HAND = countActions([]);

function tasksOf(tasks: number): Aim {
  return { kind: "tasks", tasks };
}

/** How a run ended, for the line that its progress leaves. */
function endedBy({ endedBy, stop }: Pick<RunReport, "endedBy" | "stop">): string {
  if (stop !== null) return `stopped (${words(stop.reason)})`;
  switch (endedBy) {
    case "until":
      return "done";
    case "gate":
      return "a gate waits for an answer";
    case "paused":
    case "interrupted":
    case "stopped":
      return endedBy;
  }
}

/** The draft that waits at the open gate. @throws CosciError `state` where something else waits there */
function draftAtGate(view: View, verb: string): string | null {
  const gate = view.openGate;
  if (gate === null) return null;
  const proposal = proposalOf(gate);
  if (proposal.kind === "finish") return proposal.overviewId;
  throw new CosciError(
    "state",
    `${verb}: ${gate.label} (${gate.kind}) waits for an answer: lab.accept() or lab.refuse(reason), then ${verb}().`,
  );
}

function isOpen(view: View, taskId: string): boolean {
  return view.openTasks.some((task) => task.record.id === taskId);
}

import type { AgentName } from "../domain/records.ts";
import type { MicroUsd } from "../domain/money.ts";
import type {
  Admission,
  CallLedger,
  CallOrigin,
  Headroom,
  JournalledCall,
  Reservation,
  Settlement,
  TranscriptDraft,
} from "./calls.ts";
import { number, type Row, type Sql, text, word } from "./database.ts";
import { versionKey, writePromptVersion } from "./prompt_versions.ts";
import { resentCall } from "./resent_call.ts";

/** What a session may spend, as its settings say right now. */
export interface BudgetLimits {
  /** Money at most. */
  readonly capMicroUsd: MicroUsd;
  /** Tokens at most. */
  readonly capTokens: number;
  /** Of the money: put aside for the overview. */
  readonly overviewMicroUsd: MicroUsd;
  /** Of the tokens: put aside for the overview. */
  readonly overviewTokens: number;
  /** Each agent's part of the rest; agents without one draw on `reserve`. */
  readonly shares: Readonly<Partial<Record<AgentName, number>>>;
  /** The part of the rest for agents without a share, and for what runs over. */
  readonly reserve: number;
}

/** What was spent so far. */
export interface Spending {
  /** Money settled. */
  readonly microUsd: MicroUsd;
  /** Of that: calls whose process died before they were answered, booked at their reservation. */
  readonly lostMicroUsd: MicroUsd;
  /** Tokens settled. */
  readonly tokens: number;
  /** Money reserved for calls in flight. */
  readonly reservedMicroUsd: MicroUsd;
  /** Calls in flight. */
  readonly inFlight: number;
}

/** How long a reservation stands if nobody settles it. Calls end long before. */
const RESERVATION_MS = 3_600_000;

/** The journal, the transcripts and the budget of one session, over SQLite. */
export class SqlCallLedger implements CallLedger {
  readonly #sql: Sql;
  readonly #session: string;
  readonly #owner: string;
  readonly #limits: () => BudgetLimits;
  readonly #now: () => number;
  readonly #tasks = new Map<string, string>();
  /** Versions of prompts that are known to be on record. */
  readonly #versions = new Set<string>();
  #reservations = 0;

  /** The calls of one owner in one session. @param limits read at each admission, so that a raised cap counts at once */
  constructor(sql: Sql, session: string, owner: string, limits: () => BudgetLimits, now: () => number) {
    this.#sql = sql;
    this.#session = session;
    this.#owner = owner;
    this.#limits = limits;
    this.#now = now;
  }

  find(key: string): JournalledCall | null {
    const row = this.#sql.get(
      "SELECT kind, answer FROM call_journal WHERE session = ? AND key = ?",
      this.#session,
      key,
    );
    if (row === undefined) return null;
    return { key, kind: word(row, "kind", ["model", "embedding", "tool"]), answer: text(row, "answer") };
  }

  admit(reservation: Reservation): Admission {
    return this.#sql.write((): Admission => {
      const left = this.#left(reservation.agent, reservation.overview);
      if (reservation.tokens > left.tokensNow) {
        return {
          kind: reservation.tokens > left.tokensLater ? "never" : "later",
          left: left.tokensLater,
          limit: "tokens",
        };
      }
      if (reservation.microUsd > left.now) {
        return {
          kind: reservation.microUsd > left.later ? "never" : "later",
          left: left.later,
          limit: "usd",
        };
      }
      const id = `${this.#owner}:${++this.#reservations}`;
      this.#sql.run(
        "INSERT INTO budget_reservations (id, session, agent, task_id, owner, micro_usd, tokens, expires_at) " +
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        this.#session,
        reservation.agent,
        reservation.taskId,
        this.#owner,
        reservation.microUsd,
        reservation.tokens,
        this.#now() + RESERVATION_MS,
      );
      this.#tasks.set(id, reservation.taskId);
      return { kind: "admitted", id };
    });
  }

  settle(
    reservationId: string,
    settlement: Settlement,
    transcript: TranscriptDraft,
    journal: JournalledCall | null,
    { versions, claim }: CallOrigin = { versions: [] },
  ): void {
    const unwritten = versions.filter((each) => !this.#versions.has(versionKey(each)));
    this.#sql.write(() => {
      const row = this.#sql.get(
        "DELETE FROM budget_reservations WHERE id = ? RETURNING task_id",
        reservationId,
      );
      // A reservation that is gone was settled as lost by another process that took this one for dead: booking the
      // answer as well would count the money twice, leaving it out would hide a call.
      const lost = row === undefined;
      const task = row === undefined ? this.#tasks.get(reservationId) ?? "" : text(row, "task_id");
      this.#book(
        transcript.agent,
        lost ? 0 : settlement.microUsd,
        lost ? 0 : settlement.inputTokens + settlement.outputTokens,
        0,
      );
      this.#sql.run(
        "INSERT INTO transcripts (session, task_id, agent, route, model, prompt, prompt_version, revision, directives, request, " +
          "response, stop_reason, error, micro_usd, input_tokens, output_tokens, unconfirmed, duration_ms, concessions, at, " +
          "claim_seq, decision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        this.#session,
        task,
        transcript.agent,
        transcript.route,
        transcript.model,
        transcript.prompt,
        transcript.promptVersion,
        transcript.revision,
        JSON.stringify(transcript.directives),
        transcript.request,
        transcript.response,
        transcript.stopReason,
        transcript.error,
        settlement.microUsd,
        settlement.inputTokens,
        settlement.outputTokens,
        settlement.unconfirmed ? 1 : 0,
        Math.round(transcript.durationMs),
        JSON.stringify(transcript.concessions),
        this.#now(),
        claim?.seq ?? null,
        claim === undefined ? null : JSON.stringify(claim.decision),
      );
      for (const version of unwritten) writePromptVersion(this.#sql, version);
      if (journal !== null) this.journal(task, journal);
    });
    // Inside another transaction they may yet be undone.
    if (!this.#sql.inTransaction) {
      for (const version of unwritten) {
        this.#versions.add(versionKey(version));
      }
    }
    this.#tasks.delete(reservationId);
  }

  journal(taskId: string, call: JournalledCall): void {
    this.#sql.run(
      "INSERT INTO call_journal (session, key, kind, task_id, answer) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      this.#session,
      call.key,
      call.kind,
      taskId,
      call.answer,
    );
  }

  headroom(agent: AgentName, overview = false): Headroom {
    const left = this.#left(agent, overview);
    return { microUsd: left.now, microUsdLater: left.later, tokens: left.tokensNow };
  }

  /** What was spent and what is reserved, all agents together. */
  spending(): Spending {
    const spent = this.#sql.get(
      "SELECT coalesce(sum(micro_usd), 0) AS usd, coalesce(sum(tokens), 0) AS tokens, coalesce(sum(lost_micro_usd), 0) AS lost " +
        "FROM spending WHERE session = ?",
      this.#session,
    ) ?? {};
    const reserved = this.#sql.get(
      "SELECT coalesce(sum(micro_usd), 0) AS usd, count(*) AS n FROM budget_reservations WHERE session = ?",
      this.#session,
    ) ?? {};
    return {
      microUsd: number(spent, "usd"),
      lostMicroUsd: number(spent, "lost"),
      tokens: number(spent, "tokens"),
      reservedMicroUsd: number(reserved, "usd"),
      inFlight: number(reserved, "n"),
    };
  }

  /**
   * Books the reservations of tasks whose holder is gone, and those past their expiry, at their full amount: the server
   * may have billed them, and nobody will ever know.
   */
  loseReservations(taskIds: readonly string[]): void {
    this.#sql.write(() => {
      const rows = this.#sql.all(
        "SELECT id, agent, micro_usd, tokens, task_id, expires_at FROM budget_reservations WHERE session = ?",
        this.#session,
      );
      for (const row of rows) {
        if (!taskIds.includes(text(row, "task_id")) && number(row, "expires_at") > this.#now()) continue;
        this.#lose(row);
      }
    });
  }

  /** The same for calls that a person had resent, which belong to no task: those whose process is gone. */
  loseResends(alive: (owner: string) => boolean): void {
    const rows = this.#sql.all(
      "SELECT id, agent, micro_usd, tokens, owner, task_id FROM budget_reservations WHERE session = ?",
      this.#session,
    ).filter((row) => resentCall(text(row, "task_id")) !== null && !alive(text(row, "owner")));
    if (rows.length === 0) return;
    this.#sql.write(() => {
      for (const row of rows) this.#lose(row);
    });
  }

  #lose(row: Row): void {
    // Another process may have been quicker.
    const gone = this.#sql.get("DELETE FROM budget_reservations WHERE id = ? RETURNING id", text(row, "id"));
    if (gone === undefined) return;
    const microUsd = number(row, "micro_usd");
    this.#book(text(row, "agent"), microUsd, number(row, "tokens"), microUsd);
  }

  #book(agent: string, microUsd: MicroUsd, tokens: number, lost: MicroUsd): void {
    this.#sql.run(
      "INSERT INTO spending (session, agent, micro_usd, tokens, lost_micro_usd) VALUES (?, ?, ?, ?, ?) " +
        "ON CONFLICT (session, agent) DO UPDATE SET micro_usd = micro_usd + excluded.micro_usd, " +
        "tokens = tokens + excluded.tokens, lost_micro_usd = lost_micro_usd + excluded.lost_micro_usd",
      this.#session,
      agent,
      microUsd,
      tokens,
      lost,
    );
  }

  /**
   * What a call of this agent may cost at most: `now`, and `later` if everything reserved came free unused. The overview
   * may use all that is left. Others leave its reserve alone; beyond their share they compete for the common reserve.
   */
  #left(
    agent: AgentName,
    overview: boolean,
  ): { now: MicroUsd; later: MicroUsd; tokensNow: number; tokensLater: number } {
    const limits = this.#limits();
    const used = new Map<string, { spent: number; reserved: number }>();
    const of = (name: string) => {
      const entry = used.get(name) ?? { spent: 0, reserved: 0 };
      used.set(name, entry);
      return entry;
    };
    let tokens = 0, tokensReserved = 0;
    for (
      const row of this.#sql.all(
        "SELECT agent, micro_usd, tokens FROM spending WHERE session = ?",
        this.#session,
      )
    ) {
      of(text(row, "agent")).spent += number(row, "micro_usd");
      tokens += number(row, "tokens");
    }
    const reservations = this.#sql.all(
      "SELECT agent, sum(micro_usd) AS micro_usd, sum(tokens) AS tokens FROM budget_reservations WHERE session = ? GROUP BY agent",
      this.#session,
    );
    for (const row of reservations) {
      of(text(row, "agent")).reserved += number(row, "micro_usd");
      tokensReserved += number(row, "tokens");
    }
    const money = (withReserved: boolean): MicroUsd => {
      const amount = (entry: { spent: number; reserved: number }) =>
        entry.spent + (withReserved ? entry.reserved : 0);
      const total = [...used.values()].reduce((sum, entry) => sum + amount(entry), 0);
      if (overview) return Math.max(0, limits.capMicroUsd - total);
      const divided = Math.max(0, limits.capMicroUsd - limits.overviewMicroUsd);
      const limitOf = (name: string) =>
        Math.floor(divided * (Object.entries(limits.shares).find(([key]) => key === name)?.[1] ?? 0));
      let pool = Math.floor(divided * limits.reserve);
      for (const [name, entry] of used) pool -= Math.max(0, amount(entry) - limitOf(name));
      const own = Math.max(0, limitOf(agent) - amount(of(agent)));
      return Math.max(0, Math.min(own + Math.max(0, pool), divided - total));
    };
    const tokenCap = limits.capTokens - (overview ? 0 : limits.overviewTokens);
    return {
      now: money(true),
      later: money(false),
      tokensNow: tokenCap - tokens - tokensReserved,
      tokensLater: tokenCap - tokens,
    };
  }
}

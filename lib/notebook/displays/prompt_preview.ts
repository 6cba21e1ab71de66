import type { Route } from "../../domain/agent.ts";
import { card, type Html } from "../html.ts";
import { conversation, offeredTools } from "./conversation.ts";
import type { Display } from "./display.ts";
import { facts } from "./grid.ts";
import { blocks, headline, lines, wrapped } from "./plain.ts";
import { excerpt, faint, fold, line, paragraph, section } from "./prose.ts";
import { turnHtml, turnText } from "./turns.ts";
import { dollars, tokens } from "./wording.ts";

/** The request that a task would send, before it is paid for. */
export interface PromptPreviewData {
  /** The session's name. */
  readonly session: string;
  /** Whether models are simulated. */
  readonly simulated: boolean;
  /** The prompt. */
  readonly prompt: string;
  /** Its version, by which the transcript of such a call will name it. */
  readonly version: string;
  /** Labels of the hypotheses that it is about, in the order in which they are shown. */
  readonly on: readonly string[];
  /** Route, such as `ranking.pairwise`. */
  readonly route: Route;
  /** The model that would be asked. */
  readonly model: string;
  /** The request as JSON: the very text that a transcript of it holds. */
  readonly request: string;
  /** Tokens that are likely to be read. */
  readonly inputTokens: number;
  /** Tokens read at most: the bound by which money is reserved. */
  readonly maxInputTokens: number;
  /** Tokens that are likely to be written. */
  readonly outputTokens: number;
  /** Tokens written at most: `max_tokens`. */
  readonly maxOutputTokens: number;
  /** What it is likely to cost, in dollars. */
  readonly usd: number;
  /** What it costs at most, in dollars: what is reserved for it. */
  readonly maxUsd: number;
  /** Whether what is likely comes from this session's own calls, or from typical ones. */
  readonly basis: "measured" | "typical";
  /** What would be given up for want of money. */
  readonly concessions: readonly string[];
  /** Remarks; empty where there is nothing to say. */
  readonly notes: readonly string[];
}

/** How a request is shown before it is sent. */
export const promptPreviewDisplay: Display<PromptPreviewData> = {
  html: (preview) =>
    card({
      title: title(preview),
      simulated: preview.simulated,
      body: [
        facts(details(preview).map(([name, text]) => [name, line(text, 500)] as const)),
        preview.notes.map((note) => paragraph(faint(line(note, 400)))),
        conversation(preview.request, "").map(turnHtml),
        toolsHtml(preview),
      ],
    }),
  text: (preview) =>
    blocks(
      headline(title(preview), preview.simulated),
      lines(
        ...details(preview).map(([name, text]) => wrapped(text, `${name}: `, 500)),
        ...preview.notes.map((note) => wrapped(note, "Note: ", 400)),
      ),
      ...conversation(preview.request, "").map(turnText),
      lines(
        ...offeredTools(preview.request).map(({ name, description }) =>
          wrapped(description, `Tool ${name}: `, 300)
        ),
      ),
    ),
};

function title(preview: PromptPreviewData): string {
  const about = preview.on.length === 0 ? "" : ` on ${preview.on.join(", ")}`;
  return `Preview of ${preview.prompt}${about}`;
}

function details(preview: PromptPreviewData): [string, string][] {
  const basis = preview.basis === "measured" ? "by this session's own calls" : "by typical calls";
  return [
    ["Model", preview.model],
    ["Version", preview.version],
    ["Reads", `about ${tokens(preview.inputTokens)} tokens, ${tokens(preview.maxInputTokens)} at most`],
    ["Writes", `about ${tokens(preview.outputTokens)} tokens, ${tokens(preview.maxOutputTokens)} at most`],
    [
      "Costs",
      `about ${dollars(preview.usd)} (${basis}), ${dollars(preview.maxUsd)} at most; nothing was paid`,
    ],
    ...(preview.concessions.length === 0
      ? []
      : [["For want of money", preview.concessions.join("; ")] satisfies [string, string]]),
  ];
}

function toolsHtml({ request }: PromptPreviewData): Html | null {
  const tools = offeredTools(request);
  return tools.length === 0 ? null : section(
    "Tools on offer",
    tools.map(({ name, description, schema }) =>
      fold(name, [paragraph(line(description, 1000)), excerpt(schema, 80)])
    ),
  );
}

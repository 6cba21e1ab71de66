import type { Browser, BrowserContext, Page } from "playwright-core";
import { z } from "zod";
import { CHROMIUM_FLAGS, findChromium } from "../../../scripts/notebook/chromium.ts";

// A real Chromium to look at what people see. One browser serves a test file; each page is a context of its own, so that
// nothing passes from one to the next. Nothing leaves the machine: names resolve to nothing, and each request is recorded
// and refused.

const FLAGS = [
  ...CHROMIUM_FLAGS,
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--force-color-profile=srgb",
  // Also what no request shows: prefetched names.
  "--host-resolver-rules=MAP * ~NOTFOUND",
];

/** The address under which a page is opened, so that relative addresses lead somewhere and are recorded. */
const ADDRESS = "http://notebook.test/";

/** Pixels of height that Chromium surely paints in one picture (of 24,000 it never came back). */
const PAINTED = 12_000;
/** Pixels of height of each picture of a higher page. */
const PIECE = 3_000;
/** Such pictures at most: who wants to see more opens the page. */
const PIECES = 8;

const inPage = await Deno.readTextFile(new URL("./in_page.js", import.meta.url));

/** How a page is looked at. */
export interface Look {
  /** Of the window, in pixels. */
  readonly width: number;
  /** Whether the reader prefers dark pages. */
  readonly dark: boolean;
}

/** The windows in which everything must read well. */
export const LOOKS: readonly Look[] = [
  { width: 1400, dark: false },
  { width: 1400, dark: true },
  { width: 700, dark: false },
  { width: 700, dark: true },
];

/** `light-1400`. */
export function lookName({ width, dark }: Look): string {
  return `${dark ? "dark" : "light"}-${width}`;
}

/** A box in pixels of the window. */
const boxShape = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() });
const picturesShape = z.array(z.object({
  /** Its title, by which screen readers call it. */
  title: z.string(),
  /** Where it is. */
  frame: boxShape,
  /** Pixels of the window for each of its own. */
  zoom: z.number(),
  /** Each visible text: what it says, the size of its letters as shown in pixels, where it is. */
  labels: z.array(z.object({ text: z.string(), size: z.number(), box: boxShape })),
}));
const complaintsShape = z.array(z.string());

/** A picture on a page with its labels. */
export type ShownPicture = z.infer<typeof picturesShape>[number];

/** A page that was opened, and what happened in it. */
export class OpenedPage {
  /** The page, for what the methods here don't ask. */
  readonly page: Page;
  /** What must not happen when text is only shown: requests, dialogs, console messages, errors, other pages. */
  readonly happenings: readonly string[];
  readonly #context: BrowserContext;

  /** @param happenings is filled while the page lives */
  constructor(page: Page, context: BrowserContext, happenings: readonly string[]) {
    this.page = page;
    this.happenings = happenings;
    this.#context = context;
  }

  /** What stands out of its place sideways, apart from what scrolls by design; within elements of a CSS selector. */
  async overflows(root = "body"): Promise<string[]> {
    return complaintsShape.parse(await this.#ask(`overflows(${JSON.stringify(root)})`));
  }

  /** What has to be scrolled sideways, and by how much. */
  async scrolled(root = "body"): Promise<string[]> {
    return complaintsShape.parse(await this.#ask(`scrolled(${JSON.stringify(root)})`));
  }

  /** Visible text whose contrast is below 4.5:1 (WCAG 2.2, AA for text of usual size), also large text. */
  async faintTexts(root = "body", least = 4.5): Promise<string[]> {
    return complaintsShape.parse(await this.#ask(`faintTexts(${JSON.stringify(root)}, ${least})`));
  }

  /** The pictures (SVG) with where each of their labels stands. */
  async pictures(root = "body"): Promise<ShownPicture[]> {
    return picturesShape.parse(await this.#ask(`labels(${JSON.stringify(root)})`));
  }

  /**
   * Writes the whole page as it looks to `NAME.png` in the folder of pictures. A page that is higher than Chromium can
   * paint at once becomes several, `NAME-1.png` the first; what is beyond the last of them is not pictured.
   */
  async picture(name: string): Promise<void> {
    const path = `${await folderOfPictures()}/${name}`;
    const height = z.number().parse(await this.page.evaluate("document.documentElement.scrollHeight"));
    if (height <= PAINTED) {
      await this.page.screenshot({ path: `${path}.png`, fullPage: true });
      return;
    }
    const window = this.page.viewportSize() ?? { width: 1400, height: 900 };
    await this.page.setViewportSize({ ...window, height: PIECE });
    for (let i = 0; i < PIECES && i * PIECE < height; i++) {
      await this.page.evaluate(`scrollTo(0, ${i * PIECE})`);
      await this.page.screenshot({ path: `${path}-${i + 1}.png` });
    }
    await this.page.setViewportSize(window);
    await this.page.evaluate("scrollTo(0, 0)");
  }

  /** Opens everything that is folded. */
  async unfold(): Promise<void> {
    await this.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  }

  /** Closes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }

  #ask(question: string): Promise<unknown> {
    return this.page.evaluate(`looking.${question}`);
  }
}

/**
 * Opens a page as a reader sees it.
 *
 * @param html the whole document
 */
export async function openPage(html: string, { width, dark }: Look): Promise<OpenedPage> {
  const context = await (await theBrowser()).newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? "dark" : "light",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  const happenings: string[] = [];
  await context.route("**/*", async (route) => {
    const request = route.request();
    if (request.url() === ADDRESS && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      await route.fulfill({ contentType: "text/html; charset=utf-8", body: html });
    } else {
      happenings.push(`request of ${request.url().slice(0, 200)}`);
      await route.abort();
    }
  });
  await context.routeWebSocket(/.*/, (socket) => {
    happenings.push(`socket to ${socket.url()}`);
    return socket.close();
  });
  page.on("dialog", async (dialog) => {
    happenings.push(`dialog "${dialog.message()}"`);
    await dialog.dismiss();
  });
  page.on("console", (message) => void happenings.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => void happenings.push(`error: ${error.message}`));
  page.on("worker", (worker) => void happenings.push(`worker ${worker.url()}`));
  page.on("download", (download) => void happenings.push(`download of ${download.url()}`));
  page.on("frameattached", () => void happenings.push("a frame"));
  page.on("framenavigated", (frame) => {
    if (frame.url() !== ADDRESS) happenings.push(`a way to ${frame.url().slice(0, 200)}`);
  });
  context.on("page", (other) => {
    if (other !== page) happenings.push("another window");
  });
  await page.addInitScript(inPage);
  await page.goto(ADDRESS, { waitUntil: "load" });
  return new OpenedPage(page, context, happenings);
}

let browser: Promise<Browser> | null = null;

function theBrowser(): Promise<Browser> {
  return browser ??= launch();
}

async function launch(): Promise<Browser> {
  if ("missing" in chromium) throw new Error(chromium.missing);
  const { chromium: launcher } = await import("playwright-core");
  return await launcher.launch({ executablePath: chromium.path, args: FLAGS });
}

/** Closes the browser of this file, if one was opened. */
export async function closeBrowser(): Promise<void> {
  const open = browser;
  browser = null;
  await (await open)?.close();
}

const chromium = await findChromium();

/**
 * A test that needs a browser. Where there is none it is skipped and says so; with `CI` set it fails instead, so that
 * nobody believes in what was never looked at. Call {@linkcode closeBrowser} in `Deno.test.afterAll`.
 */
export function browserTest(name: string, body: (t: Deno.TestContext) => Promise<void>): void {
  if ("path" in chromium || inCI()) {
    // Playwright keeps its connection to the browser across the tests of a file.
    Deno.test({ name, fn: body, sanitizeOps: false, sanitizeResources: false });
  } else {
    Deno.test({ name: `${name} (skipped: ${chromium.missing})`, ignore: true, fn: body });
  }
}

function inCI(): boolean {
  return (Deno.env.get("CI") ?? "") !== "";
}

let pictures: Promise<string> | null = null;

/** The folder into which pictures of pages are written: `OUT`, or `tests/browser/pictures`, which git ignores. */
export function folderOfPictures(): Promise<string> {
  return pictures ??= makeFolder();
}

async function makeFolder(): Promise<string> {
  const said = Deno.env.get("OUT") ?? "";
  const folder = said !== "" ? said : decodeURIComponent(new URL("../pictures", import.meta.url).pathname);
  await Deno.mkdir(folder, { recursive: true });
  // deno-lint-ignore no-console -- a person who wants to look must know where
  console.log(`Pictures of pages are in ${folder}`);
  return folder;
}

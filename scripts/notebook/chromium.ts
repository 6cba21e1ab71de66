/** How Chromium is started without a screen and without anything that it does on its own. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];

/** Where Chromium or Chrome usually is. */
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The Chromium of this machine: what `CHROMIUM` says, or the first one where it usually is. */
export async function findChromium(): Promise<{ readonly path: string } | { readonly missing: string }> {
  const said = Deno.env.get("CHROMIUM") ?? "";
  for (const path of said === "" ? PLACES : [said]) {
    try {
      if ((await Deno.stat(path)).isFile) return { path };
    } catch {
      // The next one.
    }
  }
  return {
    missing: said === ""
      ? `no Chromium was found: set CHROMIUM to its path (looked at ${PLACES.join(", ")})`
      : `no Chromium was found: CHROMIUM is ${said}, and there is no such file`,
  };
}

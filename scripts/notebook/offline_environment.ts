import { DEFAULT_SETTINGS } from "../../lib/config/settings.ts";
import { variableName } from "../../lib/config/environment.ts";

/**
 * This process's environment without what would change a tutorial: keys of services, settings, parameters. Settings are
 * recognised by their groups (`RUN__…`).
 */
export function offlineEnvironment(): Record<string, string> {
  const groups = Object.keys(DEFAULT_SETTINGS).map((group) => variableName(`${group}.x`).split("__")[0]);
  return Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) =>
      !/_API_KEY$|^COSCI_|^NO_COLOR$|^FORCE_COLOR$/.test(name) && !groups.includes(name.split("__")[0])
    ),
  );
}

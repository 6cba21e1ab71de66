/** cosci's own version: that of `deno.json`. */
export const COSCI_VERSION = "0.1.0";

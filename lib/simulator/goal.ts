const STOP_WORDS = new Set(
  ("a an the and or of for in on to by with which what how why when where who whom can could may might should would will " +
    "do does did is are was were be been being that this these those it its as at from into than then there their they we " +
    "our you your i not no new find identify explore study research better best good most more less using use used via " +
    "between among about against without within under over after before during through role effect effects cause causes " +
    "approved possible potential candidate candidates way ways propose design develop improve reduce increase explain")
    .split(" "),
);

/** The words of a goal that say what it is about, lower case, in order, each once. */
export function keywords(goal: string): string[] {
  const words = goal.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)))];
}

/**
 * What a goal is about in at most four words: its longest run of telling words, the last of these if several are equally
 * long. `the question` where it has none.
 */
export function topicOf(goal: string): string {
  const runs: string[][] = [[]];
  for (const token of goal.match(/[\p{L}\p{N}][\p{L}\p{N}-]*|[^\s\p{L}\p{N}]/gu) ?? []) {
    const telling = token.length > 2 && !STOP_WORDS.has(token.toLowerCase()) && /\p{L}/u.test(token);
    if (telling) runs.at(-1)?.push(token);
    else runs.push([]);
  }
  const longest = Math.min(4, Math.max(...runs.map((run) => run.length)));
  if (longest === 0) return "the question";
  const run = runs.findLast((words) => words.length >= longest) ?? [];
  return run.slice(-4).join(" ");
}

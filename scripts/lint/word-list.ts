/** Words that read like no one else's, each with what the trade says. */
export const wordList: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\bso many\b/i, "N, the number"],
  [/\bat once\b/i, "together, concurrently; immediately"],
  [/\b(?:goes|go|going|went) on\b/i, "continues, resumes, retries"],
  [/\b(?:take|takes|taken) up again\b/i, "retried, resumed"],
  [/\b(?:take|takes|taken|took|taking) back\b/i, "undo, undone"],
  [/\bin vain\b/i, "unused, without effect"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bforet(?:ell|ells|old|elling)\b/i, "predict, derive"],
  [/\bbesides?\b/i, "with, next to; also"],
  [/\bwhoever\b/i, "anyone who, whichever"],
  [/\bthe one who asks\b/i, "the caller"],
  [/\b(?:stood|stands?|standing) still\b/i, "stalls"],
  [/\b(?:is|are|was|were|be|being|been) told\b/i, "is notified, gets an event"],
  [/\b(?:is|are|was) away\b/i, "unreachable, down"],
  [/\bhow many that (?:is|are|was|were)\b/i, "the number of"],
  [/\/\*\* Most\b/i, "maximum, limit"],
];

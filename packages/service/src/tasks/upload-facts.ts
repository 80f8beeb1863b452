import type { Fact } from "./success-message.ts";

/** Places that a message names; of more, the number is given. */
const maxNamed = 5;

/** States where stored values were kept, because uploads for what would have replaced them failed. */
export const keptValues: Fact = ({ kept }) => {
  if (!Array.isArray(kept) || kept.length === 0) return undefined;
  const named = kept.slice(0, maxNamed);
  if (kept.length > maxNamed) named.push(`${kept.length - maxNamed} more`);
  return `kept what is stored for ${named.join(", ")}`;
};

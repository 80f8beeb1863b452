import type { ContentCount } from "../storage/queries/content-counts.ts";
import type { Fact } from "./success-message.ts";

/** Components that a message names; of more, the number is given. */
const maxNamed = 20;

/** States how many items have content that a shape or piece no longer has a component for. */
export const orphanedContent: Fact = ({ orphaned }) =>
  counted(orphaned as ContentCount | undefined, "orphaned content in");

/** States how many items have different content in their languages where these share one from now on. */
export const differingContent: Fact = ({ differing }) =>
  counted(differing as ContentCount | undefined, "languages still differ in");

function counted(count: ContentCount | undefined, what: string): string | undefined {
  if (count === undefined || (count.items === 0 && !count.more)) return undefined;
  const held = count.components.filter(({ items }) => items > 0);
  const named = held
    .slice(0, maxNamed)
    .map(({ place, items }) => `${place} in ${items.toLocaleString("en")}`);
  if (held.length > maxNamed) named.push(`${held.length - maxNamed} more components`);
  const total = `${count.items.toLocaleString("en")}${count.more ? " or more" : ""}`;
  const items = count.items === 1 && !count.more ? "item" : "items";
  return `${what} ${total} ${items}${named.length > 0 ? ` (${named.join(", ")})` : ""}`;
}

import type { Fact } from "./success-message.ts";

/** States which paths full histories have dropped. */
export const droppedHistory: Fact = ({ historyDropped }) => {
  if (historyDropped === undefined) return undefined;
  const { count, paths } = historyDropped as { count: number; paths: string[] };
  const more = count - paths.length;
  const histories = count === 1 ? "its full history" : "full histories";
  return `${histories} dropped ${paths.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

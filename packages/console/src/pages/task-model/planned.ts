import type { Action } from "@lading/schema/bulk-task";

/** The words for what an operation of a plan would do, by its action. */
export const plannedWords: Readonly<Record<Action, string> & Record<string, string>> = {
  created: "would create",
  updated: "would update",
  unchanged: "would not change",
  deleted: "would delete",
  published: "would publish",
  unpublished: "would unpublish",
};

/** A plan's message, which begins with its action like that of a run: `would create product "fern"`. */
export function plannedMessage(message: string | null): string | null {
  const [action] = /^[a-z]+/.exec(message ?? "") ?? [];
  const words = action === undefined ? undefined : plannedWords[action];
  if (message === null || action === undefined || words === undefined) return message;
  return words + message.slice(action.length).replace(/^:/, "");
}

import { type ErrorName, reject } from "../../errors.ts";

/** Maximum number of users of a row an error names. */
const named = 5;

/** Finds at most `most` users of a row, such as `the price list "vip"`. */
export type FindUsers = (most: number) => Promise<readonly string[]>;

/** Rejects the deletion of a row in use: names some of its users, and says what to do first. */
export async function refuseUsed(
  error: ErrorName,
  { what, identifier, remedy }: { what: string; identifier: string; remedy: string },
  ...finders: readonly FindUsers[]
): Promise<void> {
  const users: string[] = [];
  for (const find of finders)
    if (users.length <= named) users.push(...(await find(named + 1 - users.length)));
  if (users.length === 0) return;
  const listed = users.length > named ? [...users.slice(0, named), "others"] : users;
  const last = listed.pop();
  const list = listed.length > 0 ? `${listed.join(", ")} and ${last}` : last;
  reject(error, `The ${what} "${identifier}" is used by ${list}; ${remedy}`, ["identifier"]);
}

import { type Referred, withReferences } from "@lading/schema";
import type { Pair } from "./match.ts";
import type { Operation } from "./records.ts";

type Identified = Readonly<Record<string, unknown>>;

/** The ids of `from` for settings and their parts that `to` has under other ids. */
export class SettingIds {
  readonly #ids = new Map<string, string>();

  get size(): number {
    return this.#ids.size;
  }

  get(referred: Referred, id: string): string | undefined {
    return this.#ids.get(`${referred} ${id}`);
  }

  note(referred: Referred, { id: to }: Identified, { id: from }: Identified): void {
    if (typeof to === "string" && typeof from === "string" && to !== from)
      this.#ids.set(`${referred} ${to}`, from);
  }
}

/** Makes an operation of the tenant `to` one of `from`: all ids in it are those that `from` has or gets. */
export type Translate = (operation: Operation) => Operation;

const kinds = { item: "item", topic: "topic", order: "order", contract: "contract" } as const;

/** True if all ids of both tenants are the same where the entities are. */
export const haveSameIds = ({ matches }: Pair, settings: SettingIds): boolean =>
  settings.size === 0 && Object.values(kinds).every((kind) => matches[kind].sameIds);

/** Makes the translation; `settings` has the ids of settings and of their parts that differ. */
export function translation({ from, to, matches }: Pair, settings: SettingIds): Translate {
  const replace = (referred: Referred, id: string): string => {
    if (!(referred in kinds)) return settings.get(referred, id) ?? id;
    const kind = referred as keyof typeof kinds;
    if (matches[kind].sameIds) return id;
    const number = to.records[kind].withId(id);
    if (number === undefined) return id;
    const found = matches[kind].fromOf(number);
    return found === undefined ? (matches[kind].otherIds.get(number) ?? id) : from.records[kind].ids[found]!;
  };
  return (operation) => withReferences(operation.intent, operation, replace);
}

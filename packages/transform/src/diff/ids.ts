import { hasId, type KindWithId, type Referred, referenceFields, withReferences } from "@lading/schema";
import { type Operation, type RecordKind, recordKinds } from "./indexed-dump.ts";
import type { Pair } from "./match.ts";

/** The ids of `from` for settings and their parts that `to` has under other ids, by what they are ids of. */
export type SettingIds = Map<`${Referred} ${string}`, string>;

type Identified = Readonly<Record<string, unknown>>;

export function noteId(
  ids: SettingIds,
  referred: Referred | undefined,
  { id: to }: Identified,
  { id: from }: Identified,
): void {
  if (referred !== undefined && typeof to === "string" && typeof from === "string" && to !== from)
    ids.set(`${referred} ${to}`, from);
}

/** Notes the ids of a setting; one whose kind has none has no id. */
export const noteOwnId = (ids: SettingIds, to: Operation, from: Identified): void =>
  noteId(ids, referenceFields(to.intent)("id", ""), to, from);

/** Makes an operation of the tenant `to` one of `from`: all ids in it are those that `from` has or gets. */
type Translate = (operation: Operation) => Operation;

const kindsOfIds = recordKinds.filter((kind): kind is RecordKind & KindWithId => hasId(kind));

/** True if all ids of both tenants are the same where the entities are. */
export const haveSameIds = ({ matches }: Pair, settings: SettingIds): boolean =>
  settings.size === 0 && kindsOfIds.every((kind) => matches[kind].sameIds);

/** Makes the translation; `settings` has the ids of settings and of their parts that differ. */
export function translation({ to, matches }: Pair, settings: SettingIds): Translate {
  const replace = (referred: Referred, id: string): string => {
    const kind = kindsOfIds.find((kind) => kind === referred);
    if (kind === undefined) return settings.get(`${referred} ${id}`) ?? id;
    const number = matches[kind].sameIds ? undefined : to.records[kind].withId(id);
    return number === undefined ? id : matches[kind].idOf(number);
  };
  return (operation) => withReferences(operation.intent, operation, replace);
}

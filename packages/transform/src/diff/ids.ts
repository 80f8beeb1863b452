import {
  hasId,
  type KindWithId,
  type Referred,
  referenceFields,
  withReferences,
} from "@lading/schema/internal";
import { type Operation, type RecordKind, recordKinds } from "./indexed-dump.ts";
import type { Pair } from "./match.ts";

/** The ids in `from` of settings and their parts that have other ids in `to`, by what they identify. */
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

/** Records the id of a setting, if its kind has ids. */
export const noteOwnId = (ids: SettingIds, to: Operation, from: Identified): void =>
  noteId(ids, referenceFields(to.intent)("id", ""), to, from);

/** Converts an operation of the tenant `to` to one of `from`: replaces all ids by those that `from` has or gets. */
type Translate = (operation: Operation) => Operation;

const kindsOfIds = recordKinds.filter((kind): kind is RecordKind & KindWithId => hasId(kind));

/** True if matching entities have the same ids in both tenants. */
export const haveSameIds = ({ matches }: Pair, settings: SettingIds): boolean =>
  settings.size === 0 && kindsOfIds.every((kind) => matches[kind].sameIds);

/** Makes the translation. `settings` has the differing ids of settings and their parts. */
export function translation({ to, matches }: Pair, settings: SettingIds): Translate {
  const replace = (referred: Referred, id: string): string => {
    const kind = kindsOfIds.find((kind) => kind === referred);
    if (kind === undefined) return settings.get(`${referred} ${id}`) ?? id;
    const number = matches[kind].sameIds ? undefined : to.records[kind].withId(id);
    return number === undefined ? id : matches[kind].idOf(number);
  };
  return (operation) => withReferences(operation.intent, operation, replace);
}

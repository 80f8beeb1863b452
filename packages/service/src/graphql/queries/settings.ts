import { type GraphQLFieldConfig, GraphQLNonNull } from "graphql";
import { positionedPage } from "../../storage/pages/page.ts";
import type { CoreContext } from "../context.ts";
import { resultField } from "../root-fields.ts";
import {
  connection,
  forwardArguments,
  type PageArguments,
  pageRequest,
  positionAfter,
} from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { settingLists } from "../types/tenant/settings.ts";

type Field = GraphQLFieldConfig<unknown, CoreContext>;
type List = (typeof settingLists)[number];

/** Two fields per list of settings: an entry by its key, and the list in the tenant's order, default first. */
export function settingQueries(): Record<string, Field> {
  const fields = settingLists.flatMap((list) => [
    [list.name, entryField(list)],
    [list.list, listField(list)],
  ]);
  return Object.fromEntries(fields);
}

function entryField({ key, keyType, what, type, entry }: List): Field {
  return resultField<Record<string, string>>({
    type: resultUnion(`${type.name}Result`, [type]),
    description: `One of the tenant's ${what}s.`,
    args: { [key]: { type: new GraphQLNonNull(keyType) } },
    resolve: async ({ [key]: given = "" }, { tenant }) => entry(tenant, given),
  });
}

function listField({ list, what, type }: List): Field {
  return resultField<PageArguments>({
    type: resultUnion(`${list[0]?.toUpperCase()}${list.slice(1)}Result`, [connection(type)]),
    description: `The tenant's ${what}s in order.`,
    args: forwardArguments,
    resolve: async (given, { tenant }) => {
      const { first } = pageRequest(given);
      const entries: readonly object[] = tenant.settings[list];
      const page = positionedPage(entries, { first, after: positionAfter(given.after) });
      return { page, after: given.after };
    },
  });
}

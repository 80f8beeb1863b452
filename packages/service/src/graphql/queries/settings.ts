import { type GraphQLFieldConfig, GraphQLNonNull } from "graphql";
import { positionedPage } from "../../storage/page.ts";
import { settingOf } from "../../tenants/change-settings.ts";
import type { CoreContext } from "../context.ts";
import { type SettingRow, settingRows } from "../mutations/setting-rows.ts";
import { resultField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { positionAfter } from "../types/position.ts";
import { resultUnion } from "../types/result-union.ts";

type Field = GraphQLFieldConfig<unknown, CoreContext>;

/** Of every list of settings: an entry by its key, and the list in the tenant's order, the default first. */
export function settingQueries(): Record<string, Field> {
  const fields = Object.entries(settingRows).map(([name, row]) => ({
    [name]: entryField(row),
    [row.kind.list]: listField(row),
  }));
  return Object.assign({}, ...fields);
}

function entryField({ kind, type, keyType }: SettingRow<never>): Field {
  return resultField<Record<string, string>>({
    type: resultUnion(`${type.name}Result`, [type]),
    description: `One of the tenant's ${kind.what}s.`,
    args: { [kind.key]: { type: new GraphQLNonNull(keyType) } },
    resolve: async ({ [kind.key]: key = "" }, { tenant }) => settingOf(tenant, kind, key),
  });
}

function listField({ kind, type }: SettingRow<never>): Field {
  const list = kind.list as string;
  return resultField<PageArguments>({
    type: resultUnion(`${list[0]?.toUpperCase()}${list.slice(1)}Result`, [connection(type)]),
    description: `The tenant's ${kind.what}s in their order.`,
    args: forwardArguments,
    resolve: async (given, { tenant }) => {
      const { first } = pageRequest(given);
      const page = positionedPage(tenant.settings[kind.list], { first, after: positionAfter(given.after) });
      return { page, after: given.after };
    },
  });
}

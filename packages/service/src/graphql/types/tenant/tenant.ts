import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { Tenant as TenantRow } from "../../../storage/tenants/tenant.ts";
import type { CoreContext } from "../../context.ts";
import { float, id, integer, listOf, text } from "../../derive/non-null.ts";
import { readsMuch } from "../../validation/query-limits.ts";
import { settingLists } from "./settings.ts";

export const TenantUsage = new GraphQLObjectType({
  name: "TenantUsage",
  description: "The size of a tenant, counted when selected.",
  fields: {
    items: { type: float, description: "Without the root item." },
    productVariants: { type: float },
    customers: { type: float },
    orders: { type: float },
    bulkTasks: { type: float },
    operations: { type: float, description: "Executed by runs, retries and undos so far." },
  },
});

const settings = Object.fromEntries(
  settingLists.map(({ list, type }) => [
    list,
    { type: listOf(type), resolve: ({ settings }: TenantRow) => settings[list] },
  ]),
);

const Defaults = new GraphQLObjectType<TenantRow, CoreContext>({
  name: "TenantDefaults",
  description: "The defaults: the first of each list.",
  fields: {
    language: { type: text, resolve: ({ settings }) => settings.languages[0]?.code },
    currency: { type: text, resolve: ({ settings }) => settings.priceVariants[0]?.currency },
  },
});

export const Tenant = new GraphQLObjectType<TenantRow, CoreContext>({
  name: "Tenant",
  fields: {
    id: { type: id },
    identifier: { type: text },
    name: { type: text },
    rootItemId: { type: id },
    ...settings,
    defaults: { type: new GraphQLNonNull(Defaults), resolve: (tenant) => tenant },
    uploadMaxBytes: {
      type: float,
      description: "The largest upload; the operator sets it.",
      resolve: ({ settings }) => settings.uploadMaxBytes,
    },
    uploadLifetimeSeconds: {
      type: integer,
      description: "How long an upload form is valid.",
      resolve: ({ settings }) => settings.uploadLifetimeSeconds,
    },
    maxWaitingTasks: {
      type: integer,
      description: "Maximum number of started, unfinished tasks; set by the operator.",
      resolve: ({ settings }) => settings.maxWaitingTasks,
    },
    keepBeforeDays: {
      type: integer,
      description:
        "Retention of before-images written by bulk tasks, in days; 0: none are kept. Set by the operator.",
      resolve: ({ settings }) => settings.keepBeforeDays,
    },
    usage: {
      type: new GraphQLNonNull(TenantUsage),
      extensions: readsMuch(),
      resolve: (tenant, _given, { loaders }) => loaders.tenantUsage(tenant.id),
    },
    staticAuthToken: {
      type: GraphQLString,
      description: "Always null: this service has no static tokens. For clients that select it.",
      resolve: () => null,
    },
  },
});

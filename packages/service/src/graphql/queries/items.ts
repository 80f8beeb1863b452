import { GraphQLID, GraphQLList, type GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { ItemVersion } from "../../storage/collections/item-contents.ts";
import {
  findItems,
  type ItemFilter,
  type ItemIdentity,
  type ItemView,
  listItems,
} from "../../storage/queries/items.ts";
import type { CoreContext } from "../context.ts";
import { filterType } from "../derive/input-types.ts";
import { text } from "../derive/non-null.ts";
import { resultField } from "../root-fields.ts";
import { type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { Document, Folder, ItemConnection, ItemType, itemTypeName, Product } from "../types/item.ts";
import { resultUnion } from "../types/result-union.ts";
import { scopeOf, VersionLabel } from "./scope.ts";

interface ScopeArguments {
  language: string;
  version?: ItemVersion | null;
}

const scopeArguments = {
  language: { type: text },
  version: { type: VersionLabel, defaultValue: "draft" },
};

/**
 * The requested item. Rejects with `ItemNotFoundError` when there is none or it has another type, and with
 * `AmbiguousReferenceError` when several have the external reference.
 */
export async function readItem(
  { services, tenant }: CoreContext,
  identity: ItemIdentity,
  scopeGiven: ScopeArguments,
  type?: string,
): Promise<ItemView> {
  const scope = scopeOf(tenant, scopeGiven);
  const [name, value] = identityOf(identity);
  const items = await findItems(services.database, tenant.id, scope, { [name]: value });
  const [item, another] = items;
  if (item === undefined)
    reject("ItemNotFoundError", `No item has the ${name} "${value}"${where(scope)}`, [name]);
  if (another !== undefined)
    reject("AmbiguousReferenceError", `${items.length} items have the ${name} "${value}"`, [name]);
  if (type && item.type !== type)
    reject("ItemNotFoundError", `The item with the ${name} "${value}" is a ${item.type}, not a ${type}`, [
      name,
    ]);
  return item;
}

const identities = ["id", "resourceIdentifier", "externalReference"] as const;

function identityOf(identity: ItemIdentity): [keyof ItemIdentity, string] {
  const given = identities.flatMap((name): [keyof ItemIdentity, string][] => {
    const value = identity[name];
    return value ? [[name, value]] : [];
  });
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  reject("ValidationError", `Give one of ${identities.join(", ")} to identify the item`);
}

const where = ({ language, version }: ScopeArguments) =>
  version === "published" ? ` and is published in "${language}"` : "";

/** A root field that answers one item of some of the types. */
function itemField(
  name: string,
  successes: readonly [GraphQLObjectType, ...GraphQLObjectType[]],
  type?: string,
) {
  return resultField<ItemIdentity & ScopeArguments>({
    type: resultUnion(name, successes, itemTypeName),
    description: `${type ? `A ${type}` : "An item of any type"}, by id, resource identifier or external reference.`,
    args: {
      id: { type: GraphQLID },
      resourceIdentifier: { type: GraphQLString },
      externalReference: { type: GraphQLString },
      ...scopeArguments,
    },
    resolve: (given, context) => readItem(context, given, given, type),
  });
}

const ItemListFilter = filterType("ItemListFilter", {
  type: { type: ItemType },
  shapeIdentifier: { type: GraphQLString },
  parentItemId: { type: GraphQLID, description: "Lists the children in their order." },
  externalReferences: { type: new GraphQLList(text) },
  resourceIdentifiers: { type: new GraphQLList(text) },
});

type ListArguments = ScopeArguments & PageArguments & { filter?: ItemFilter | null };

export const itemQueries = {
  item: itemField("ItemResult", [Folder, Document, Product]),
  folder: itemField("FolderResult", [Folder], "folder"),
  document: itemField("DocumentResult", [Document], "document"),
  product: itemField("ProductResult", [Product], "product"),
  items: resultField<ListArguments>({
    type: resultUnion("ItemsResult", [ItemConnection]),
    description: "The tenant's items except the root, ordered by id, or the children of one in order.",
    args: { ...scopeArguments, filter: { type: ItemListFilter }, ...pageArguments },
    async resolve({ filter, after, ...given }, { services, tenant }) {
      const request = pageRequest({ ...given, after });
      const page = await listItems(
        services.database,
        tenant.id,
        scopeOf(tenant, given),
        filter ?? {},
        request,
      );
      return { page, after };
    },
  }),
};

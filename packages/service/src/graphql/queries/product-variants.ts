import { GraphQLID, GraphQLList, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import { listVariants, type VariantFilter } from "../../storage/queries/product-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { CoreContext } from "../context.ts";
import { filterType } from "../derive/input-types.ts";
import { text } from "../derive/non-null.ts";
import { scopeOf } from "../queries/scope.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { ProductVariant, type VariantView, variantView } from "../types/product-variant.ts";
import { resultUnion } from "../types/result-union.ts";

interface VariantIdentity {
  sku?: string | null;
  externalReference?: string | null;
}

type InLanguage = { language?: string | null };

/** Rejects with `ProductVariantNotFoundError`, or with `AmbiguousReferenceError` when several have the reference. */
async function variantOf(
  context: CoreContext,
  { sku, externalReference }: VariantIdentity,
  language: string,
) {
  if (Boolean(sku) === Boolean(externalReference))
    reject("ValidationError", "Give either sku or externalReference to identify the variant");
  if (sku)
    return (
      (await readVariant(context, sku, language)) ??
      reject("ProductVariantNotFoundError", `No product variant has the SKU "${sku}"`, ["sku"])
    );
  const { services, tenant } = context;
  const filter = { externalReferences: [externalReference ?? ""] };
  const { nodes } = await listVariants(services.database, tenant.id, filter, { first: 2 });
  const [row, another] = nodes;
  const words = `the external reference "${externalReference}"`;
  if (another)
    reject("AmbiguousReferenceError", `Several product variants have ${words}`, ["externalReference"]);
  if (row) return variantView(row, scopeOf(tenant, { language }));
  return reject("ProductVariantNotFoundError", `No product variant has ${words}`, ["externalReference"]);
}

const ProductVariantListFilter = filterType("ProductVariantListFilter", {
  productId: { type: GraphQLID },
  skus: { type: new GraphQLList(text) },
  externalReferences: { type: new GraphQLList(text) },
});

const languageArgument = {
  language: { type: GraphQLString, description: "Default: the tenant's first." },
};

const languageOf = ({ language }: InLanguage, { settings }: Tenant) =>
  language ?? settings.languages[0]?.code ?? "";

export const productVariantQueries = {
  productVariant: resultField<VariantIdentity & InLanguage>({
    type: resultUnion("ProductVariantResult", [ProductVariant]),
    description: "A product variant as a draft.",
    args: { sku: { type: GraphQLString }, externalReference: { type: GraphQLString }, ...languageArgument },
    resolve: (given, context) => variantOf(context, given, languageOf(given, context.tenant)),
  }),
  productVariants: resultField<PageArguments & InLanguage & { filter?: VariantFilter | null }>({
    type: resultUnion("ProductVariantsResult", [connection(ProductVariant)]),
    description: "The tenant's product variants as drafts, ordered by SKU.",
    args: { ...languageArgument, filter: { type: ProductVariantListFilter }, ...pageArguments },
    async resolve({ filter, ...given }, { services, tenant }) {
      const scope = scopeOf(tenant, { language: languageOf(given, tenant) });
      const { nodes, ...page } = await listVariants(
        services.database,
        tenant.id,
        filter ?? {},
        pageRequest(given),
      );
      return { page: { ...page, nodes: nodes.map((row) => variantView(row, scope)) }, after: given.after };
    },
  }),
};

/** The variant with this SKU as it is in one language, or undefined. */
export async function readVariant(
  { loaders, tenant }: CoreContext,
  sku: string,
  language: string | null | undefined,
): Promise<VariantView | undefined> {
  const scope = scopeOf(tenant, { language: language ?? tenant.settings.languages[0]?.code ?? "" });
  const row = await loaders.variant(sku);
  return row && variantView(row, scope);
}

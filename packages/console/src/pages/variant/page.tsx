import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Navigate } from "@tanstack/react-router";
import { success } from "../../api/errors.ts";
import { graphql } from "../../api/graphql.ts";
import { entitiesKey } from "../../api/query-client.ts";
import { request } from "../../api/request.ts";
import { Pending } from "../../layout/page-states.tsx";

const route = getRouteApi("/@{$tenant}/browse/variants/$sku");

const document = graphql(`
  query ProductOf($sku: String!) {
    productVariant(sku: $sku) {
      ... on ProductVariant { productId }
      ... on BasicError { errorName message }
    }
  }
`);

/** The address of a variant by its SKU: leads on to the product that has it. */
function VariantPage() {
  const { tenant, sku } = route.useParams();
  const query = useQuery({
    queryKey: [entitiesKey, tenant, "product of", sku],
    queryFn: async ({ signal }) => success((await request(tenant, document, { sku }, signal)).productVariant),
  });
  const { data } = query;
  if (query.error !== null || data === undefined) return <Pending query={query} title={`SKU ${sku}`} />;
  return (
    <Navigate
      to="/@{$tenant}/browse/items/$item"
      params={{ tenant, item: data.productId }}
      search={{ sku }}
      replace
    />
  );
}

export const page = createLazyRoute("/@{$tenant}/browse/variants/$sku")({ component: VariantPage });

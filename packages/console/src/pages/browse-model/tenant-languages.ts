import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const document = graphql(`
  query TenantLanguages {
    tenant { rootItemId defaults { language } languages { code name } }
  }
`);

/** The tenant's root item, its languages in their order, and the default language to show. */
export const tenantLanguagesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tenant", tenant, "languages"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { tenant: found } = await request(tenant, document, {}, signal);
      if (found === null) throw new Error("This tenant no longer exists");
      const { rootItemId, defaults, languages } = found;
      return { rootItemId, language: defaults.language, languages };
    },
  });

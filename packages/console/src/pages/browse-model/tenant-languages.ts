import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../../api/graphql.ts";
import { request } from "../../api/request.ts";

const document = graphql(`
  query TenantLanguages {
    tenant { rootItemId defaults { language } languages { code name } }
  }
`);

/** The root of a tenant's items, its languages, and the one that is shown where the address names none. */
export const tenantLanguagesQuery = (tenant: string) =>
  queryOptions({
    queryKey: ["tenant", tenant, "languages"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { tenant: found } = await request(tenant, document, {}, signal);
      if (found === null) throw new Error("This tenant does not exist any longer");
      const { rootItemId, defaults, languages } = found;
      return { rootItemId, language: defaults.language, languages: languages.map(({ code }) => code) };
    },
  });

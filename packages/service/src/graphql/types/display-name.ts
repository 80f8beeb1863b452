import { type GraphQLFieldConfig, GraphQLObjectType } from "graphql";
import type { LocalizedName } from "../../storage/queries/names.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { CoreContext } from "../context.ts";
import { text } from "../derive/non-null.ts";

const DisplayName = new GraphQLObjectType<LocalizedName>({
  name: "DisplayName",
  description: "A name, and the language it is in.",
  fields: { name: { type: text }, language: { type: text } },
});

/** The codes of the tenant's languages, its default first. */
export const languagesOf = ({ settings }: Tenant) => settings.languages.map(({ code }) => code);

/** A field with a name to show, also where the language asked for has none. */
export const displayName = <Source extends { language: string }>(
  ownName: (source: Source) => string | null | undefined,
  otherName: (source: Source, languages: readonly string[], context: CoreContext) => unknown,
): GraphQLFieldConfig<Source, CoreContext> => ({
  type: DisplayName,
  description:
    "The name in the language; without one, that in the first of the tenant's languages that has one. Null if none has.",
  resolve(source, _, context) {
    const name = ownName(source);
    return name
      ? { name, language: source.language }
      : otherName(source, languagesOf(context.tenant), context);
  },
});

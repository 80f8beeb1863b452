import { GraphQLList, GraphQLNonNull } from "graphql";
import { reject } from "../../errors.ts";
import { type SearchKind, search, searchKinds } from "../../storage/queries/search.ts";
import { text } from "../derive/non-null.ts";
import { plainField } from "../root-fields.ts";
import { forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { SearchConnection, SearchKindEnum } from "../types/search.ts";
import { readsMuch } from "../validation/query-limits.ts";

export const searchTextLength = 200;

interface SearchArguments extends PageArguments {
  text: string;
  kinds?: SearchKind[] | null;
}

export const searchQueries = {
  search: plainField<SearchArguments>({
    type: new GraphQLNonNull(SearchConnection),
    extensions: readsMuch(),
    description:
      "Everything but settings with a text in a name or identifier, ignoring case; items also by path. A page may have fewer entries than requested, and still have a next page.",
    args: {
      text: { type: text, description: `1 to ${searchTextLength} characters.` },
      kinds: {
        type: new GraphQLList(new GraphQLNonNull(SearchKindEnum)),
        description: "Default: all.",
      },
      ...forwardArguments,
    },
    async resolve({ kinds, ...given }, { services, tenant }) {
      const text = given.text.trim();
      if (text === "" || text.length > searchTextLength)
        reject(
          "ValidationError",
          `text has ${text.length} characters; it must have 1 to ${searchTextLength}`,
          ["text"],
        );
      const { first, after } = pageRequest(given);
      const request = { text, kinds: kinds ?? searchKinds, first, after: after ?? null };
      return { page: await search(services.database, tenant.id, request), after };
    },
  }),
};

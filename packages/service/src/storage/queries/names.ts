import type { Queries } from "../database.ts";

/** A name, and the language it is in. */
export interface LocalizedName {
  language: string;
  name: string;
}

/** Finds names in the first of the languages in which there is one, by the id of what they name. */
const namesIn =
  (contents: string, id: string, version = "") =>
  async (
    queries: Queries,
    tenantId: string,
    languages: readonly string[],
    ids: readonly string[],
  ): Promise<Map<string, LocalizedName>> => {
    const rows = await queries.query<LocalizedName & { id: string }>(
      `SELECT DISTINCT ON (c.${id}) c.${id} AS id, c.language, c.name FROM ${contents} c
       WHERE c.tenant_id = $1 AND c.${id} = ANY($3::text[])
       ORDER BY c.${id}, array_position($2::text[], c.language)${version}`,
      [tenantId, languages, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  };

export const namesOfItems = namesIn("item_contents", "item_id", ", c.version");
export const namesOfTopics = namesIn("topic_contents", "topic_id");

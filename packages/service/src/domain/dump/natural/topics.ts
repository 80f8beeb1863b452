import { type TopicContentRow, topicContents } from "../../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../../storage/collections/topics.ts";
import { derivedId } from "../../../storage/ids.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import type { DumpedTenant } from "../dumped-tenant.ts";
import { type Named, namedBy } from "./key.ts";

type Source = Pick<DumpedTenant, "tenant" | "page">;

interface NamedTopic extends Named {
  /** The path in each language in which the topic and all its ancestors have names. */
  readonly paths: ReadonlyMap<string, string>;
}

const aboveAll: NamedTopic = { written: "", token: "root", paths: new Map() };

/**
 * The names of topics: the resource identifier, else the path in the first language, else an id derived from the
 * location. Keeps the topics it has visited in memory.
 */
export class TopicNames {
  readonly #source: Source;
  readonly #known = new Map<string, NamedTopic>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** Names topics; ids that don't exist are omitted. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, Named>> {
    const unknown = ids.filter((id) => !this.#known.has(id));
    if (unknown.length > 0) await this.#read(unknown);
    return this.#known;
  }

  async #read(ids: readonly string[]): Promise<void> {
    const { tenant, page } = this.#source;
    const [rows, contents] = await page((queries) =>
      Promise.all([
        rowsWith(queries, tenant.id, topics, "id", ids),
        rowsWith(queries, tenant.id, topicContents, "topicId", ids),
      ]),
    );
    const found = [...rows.values()].flat();
    await this.of([...new Set(found.flatMap(({ parentId }) => parentId ?? []))]);
    for (const topic of found)
      this.#known.set(topic.id, this.#named(topic, inOrder(this.#source, contents.get(topic.id) ?? [])));
  }

  #named({ parentId, resourceIdentifier }: TopicRow, contents: readonly TopicContentRow[]): NamedTopic {
    const parent = parentId === null ? aboveAll : (this.#known.get(parentId) ?? aboveAll);
    const paths = new Map(
      contents.flatMap(({ language, pathIdentifier }) => {
        const above = parentId === null ? "" : parent.paths.get(language);
        return above === undefined ? [] : [[language, `${above}/${pathIdentifier}`] as const];
      }),
    );
    const [first] = contents;
    const path = first && paths.get(first.language);
    const name =
      (resourceIdentifier && namedBy(["topic", "resourceIdentifier", resourceIdentifier])) ||
      (first && path && namedBy(["topic", "path", path, first.language]));
    if (name) return { ...name, paths };
    const [language, segment] = [first?.language ?? "", first?.pathIdentifier ?? ""];
    const token = derivedId("place", parent.token, language, segment);
    return { written: token, token, isBare: true, paths };
  }
}

/** The contents of a topic, in the order of the tenant's languages: the topic is found by the first one. */
export function inOrder(
  { tenant }: Pick<Source, "tenant">,
  contents: readonly TopicContentRow[],
): TopicContentRow[] {
  const codes = tenant.settings.languages.map(({ code }) => code);
  const rank = ({ language }: TopicContentRow) => codes.indexOf(language);
  return contents.toSorted((a, b) => rank(a) - rank(b));
}

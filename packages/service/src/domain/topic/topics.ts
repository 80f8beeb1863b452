import { type ChildTopic, type JsonPath, type Payload, slug } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import { leadsUpTo } from "../../storage/queries/lineage.ts";
import { type Loaded, withLoaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { firstFree } from "../path/tree-paths.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";
import { named } from "../payload/named-row.ts";

/** Maximum number of topics one operation writes, including the root of the tree; lengths in characters. */
export const topicLimits = { perOperation: 30, name: 512, pathIdentifier: 64 } as const;

/** The fields of a topic in a payload; all are optional in an update. */
export type TopicFields = Partial<Omit<Payload<"topic/upsert">, "name">> & {
  name?: string | null | undefined;
};

/** Rejects a topic that breaks a limit, itself or in its children, with `ValidationError`. */
export function checkTopic(topic: TopicFields): void {
  const check = limitCheck();
  const count = 1 + below(topic.children);
  if (count > topicLimits.perOperation)
    check.add(`The operation has ${count} topics; the limit is ${topicLimits.perOperation}`, ["children"]);
  check.length(topic.resourceIdentifier, { min: 1, ...keyLength }, ["resourceIdentifier"]);
  const { displayColor } = topic;
  if (displayColor && !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(displayColor))
    check.add(`displayColor is "${displayColor}"; use # and 3 or 6 hexadecimal digits`, ["displayColor"]);
  checkNames(check, topic, []);
  check.end();
}

const below = (children: readonly ChildTopic[] | null | undefined): number =>
  (children ?? []).reduce((sum, child) => sum + 1 + below(child.children), 0);

function checkNames(check: LimitCheck, topic: TopicFields | ChildTopic, path: JsonPath): void {
  const { name, pathIdentifier, children } = topic;
  if (name === null) check.add("name is null; a topic has a name", [...path, "name"]);
  check.length(name, { max: topicLimits.name }, [...path, "name"]);
  check.length(pathIdentifier, { max: topicLimits.pathIdentifier }, [...path, "pathIdentifier"]);
  children?.forEach((child, i) => {
    checkNames(check, child, [...path, "children", i]);
  });
  checkSiblings(check, children ?? [], path);
}

/** Collects siblings with equal path identifiers, which an upsert could not tell apart. */
function checkSiblings(check: LimitCheck, children: readonly ChildTopic[], path: JsonPath): void {
  const seen = new Map<string, number>();
  children.forEach((child, i) => {
    const identifier = writtenIdentifier(child.pathIdentifier ?? child.name);
    const first = seen.get(identifier);
    if (identifier !== "" && first !== undefined) {
      const [one, other] = [`children[${first}]`, `children[${i}]`];
      check.add(`${one} and ${other} both have the path identifier "${identifier}"`, [
        ...path,
        "children",
        i,
      ]);
    }
    seen.set(identifier, i);
  });
}

/** The topic, parent and language a path identifier belongs to; `parentId` is empty at the root. */
export interface PathOwner {
  topicId: string;
  parentId: string;
  language: string;
}

/** Converts a payload's path identifier to its stored form; empty when there is none or it has no letters or digits. */
export const writtenIdentifier = (text: string | null | undefined): string =>
  slug(text ?? "", topicLimits.pathIdentifier);

/**
 * A topic's path identifier: the payload's, which must be free (`TopicPathTakenError`), else one derived from the name
 * that is unique under the parent in that language.
 */
export async function pathIdentifierOf(
  unit: UnitOfWork,
  owner: PathOwner,
  { name, pathIdentifier }: { name: string; pathIdentifier?: string | null | undefined },
  path: JsonPath = [],
): Promise<string> {
  const written = writtenIdentifier(pathIdentifier);
  if (written === "") return freeIdentifier(unit, owner, writtenIdentifier(name));
  const holder = await topicAt(unit, owner, written);
  if (holder === undefined || holder === owner.topicId) return written;
  const parent = owner.parentId === "" ? "at the root" : `under ${owner.parentId}`;
  // Found by its path, so its content is in memory.
  const content = await unit.get(topicContents, holder, owner.language);
  const message = `The topic ${named({ id: holder, resourceIdentifier: null }, content?.name)} has the path identifier "${written}" ${parent} in "${owner.language}"`;
  return reject("TopicPathTakenError", message, [...path, "pathIdentifier"]);
}

/** Finds a free path identifier: the word, else with a number or the topic's id appended. */
export const freeIdentifier = (unit: UnitOfWork, owner: PathOwner, word: string): Promise<string> =>
  firstFree(word, owner.topicId, async (candidate) => {
    const holder = await topicAt(unit, owner, candidate);
    return holder === undefined || holder === owner.topicId;
  });

/** Finds the id of the topic with a path identifier under a parent in a language; undefined when there is none. */
export function topicAt(
  unit: Pick<UnitOfWork, "findUnder">,
  { parentId, language }: Omit<PathOwner, "topicId">,
  pathIdentifier: string,
): Loaded<string | undefined> {
  const parent = { collection: topics, key: parentId };
  const found = unit.findUnder(parent, topicContents, "path", parentId, language, pathIdentifier);
  return withLoaded(found, ([content]) => content?.topicId);
}

/** Finds the parent of a topic; rejects with `TopicNotFoundError`. */
export async function requireParentTopic(unit: UnitOfWork, id: string): Promise<TopicRow> {
  const parent = await unit.get(topics, id);
  return parent ?? reject("TopicNotFoundError", `The parent topic ${id} does not exist`, ["parentId"]);
}

/** Rejects moving a topic under itself or a descendant (`ConflictError`). */
export async function refuseTopicCycle(unit: UnitOfWork, id: string, parentId: string): Promise<void> {
  if (!(await leadsUpTo(unit, "topics", parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The topic ${id} cannot be put under ${what}`, ["parentId"]);
}

import { type ChildTopic, type JsonPath, type Payload, slug } from "@lading/schema";
import { reject } from "../../errors.ts";
import { topicContents } from "../../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../../storage/collections/topics.ts";
import { leadsUpTo } from "../../storage/queries/lineage.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import { firstFree } from "../path/segments.ts";
import { keyLength, type LimitCheck, limitCheck } from "../payload/limit-check.ts";

/** Topics that one operation writes, itself among them; lengths in characters. */
export const topicLimits = { perOperation: 30, name: 512, pathIdentifier: 64 } as const;

/** What payloads say of a topic; an update may leave anything out. */
export type TopicFields = Partial<Omit<Payload<"topic/upsert">, "name">> & {
  name?: string | null | undefined;
};

/** Rejects with `ValidationError` what breaks a limit of a topic or of those to be made below it. */
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

/** Those of one parent are told apart by their path identifiers, so that an upsert finds each again. */
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

/** Whose path identifier it is, and where: a topic, under a parent, which is empty at the root, in a language. */
export interface PathOwner {
  topicId: string;
  parentId: string;
  language: string;
}

/** The path identifier that is written, as it is stored; empty when there is none or it has no letter. */
export const writtenIdentifier = (text: string | null | undefined): string =>
  slug(text ?? "", topicLimits.pathIdentifier);

/**
 * The path identifier of a topic: the one that is written, which must be free (`TopicPathTakenError`), else one made
 * from the name that no other topic has under the parent in that language.
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
  const message = `The topic ${holder} has the path identifier "${written}" ${parent} in "${owner.language}"`;
  return reject("TopicPathTakenError", message, [...path, "pathIdentifier"]);
}

/** As the word that is given, with a number or the topic's id behind it where another topic has it. */
export const freeIdentifier = (unit: UnitOfWork, owner: PathOwner, word: string): Promise<string> =>
  firstFree(word, owner.topicId, async (candidate) => {
    const holder = await topicAt(unit, owner, candidate);
    return holder === undefined || holder === owner.topicId;
  });

/** The id of the topic with a path identifier under a parent in a language, or undefined. */
export async function topicAt(
  unit: UnitOfWork,
  { parentId, language }: Omit<PathOwner, "topicId">,
  pathIdentifier: string,
): Promise<string | undefined> {
  const parent = { collection: topics, key: parentId };
  const [content] = await unit.findUnder(parent, topicContents, "path", parentId, language, pathIdentifier);
  return content?.topicId;
}

/** The topic that others may be put under; rejects with `TopicNotFoundError`. */
export async function requireParentTopic(unit: UnitOfWork, id: string): Promise<TopicRow> {
  const parent = await unit.get(topics, id);
  return parent ?? reject("TopicNotFoundError", `The parent topic ${id} does not exist`, ["parentId"]);
}

/** Rejects with `ConflictError` to move a topic under itself or under a topic below it. */
export async function refuseTopicCycle(unit: UnitOfWork, id: string, parentId: string): Promise<void> {
  if (!(await leadsUpTo(unit, "topics", parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The topic ${id} cannot be put under ${what}`, ["parentId"]);
}

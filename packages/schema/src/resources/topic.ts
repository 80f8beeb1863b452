import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part, type Scalars } from "../scalars.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";

export interface ChildTopic {
  name: string;
  pathIdentifier?: string | null;
  children?: ChildTopic[] | null;
}

const childTopic: (s: Scalars) => z.ZodType<ChildTopic> = part((s) =>
  z
    .object({
      get children(): z.ZodOptional<z.ZodNullable<z.ZodArray<z.ZodType<ChildTopic>>>> {
        return s.field("Topics below this one", z.array(childTopic(s)).nullish());
      },
      name: s.field("Name of the topic in this language", s.name),
      pathIdentifier: s.field(
        "Last part of its path; without it, one is derived from the name",
        s.pathIdentifier.nullish(),
      ),
    })
    .meta({ id: "ChildTopic" }),
);

const topicFields = part((s) => ({
  language: s.field("Language of the name and the path, such as `en`", s.text),
  displayColor: s.field("Color to show the topic in", s.text.nullish()),
  parentId: s.field("Id of the topic above; null or absent for a topic at the root", s.id.nullish()),
  pathIdentifier: s.field(
    "Last part of its path; without it, one is derived from the name",
    s.pathIdentifier.nullish(),
  ),
  meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
  ...resourceIdentifier(s),
}));

const topicIdentity = (s: Scalars) => ({
  topicId: s.field("Id of the topic; it takes precedence over `resourceIdentifier`", s.id.optional()),
  ...resourceIdentifier(s),
});

/** A topic can be created with a tree of topics below it. */
const createTopic = part((s) =>
  z.object({
    ...topicFields(s),
    name: s.field("Name of the topic in this language", s.name),
    children: s.field("Topics below this one, to create with it", z.array(childTopic(s)).nullish()),
  }),
);

/** Absent fields stay unchanged. Topics below it are updated on their own. */
const updateTopic = part((s) =>
  z
    .object({
      ...topicFields(s),
      name: s.field("New name of the topic in this language", s.name.nullish()),
      ...topicIdentity(s),
    })
    .superRefine(identifiedBy("topicId")),
);

/** Needs an identity, to know whether the topic exists. */
const upsertTopic = part((s) => createTopic(s).extend(topicIdentity(s)).superRefine(identifiedBy("topicId")));

const deleteTopic = part((s) => z.object(topicIdentity(s)).superRefine(identifiedBy("topicId")));

export const topicIntents = {
  "topic/create": {
    payload: createTopic,
    about: "Creates a topic, with its children if given",
    subject: "topic",
    result: ["id"],
  },
  "topic/update": {
    payload: updateTopic,
    about: "Updates a topic in one language",
    subject: "topic",
    result: ["id"],
  },
  "topic/upsert": {
    payload: upsertTopic,
    about: "Creates or updates a topic in one language",
    subject: "topic",
    actsAs: ["topic/create", "topic/update"],
  },
  "topic/delete": {
    payload: deleteTopic,
    about: "Deletes a topic",
    subject: "topic",
    result: ["id"],
  },
} as const satisfies IntentRows;

import { z } from "zod";
import { part, type Scalars } from "../scalars.ts";
import { identifiedBy, resourceIdentifier } from "./identity.ts";
import { keyValue } from "./key-value.ts";

/** A topic created along with its parent. */
export interface ChildTopic {
  name: string;
  pathIdentifier?: string | null;
  children?: ChildTopic[] | null;
}

const childTopic: (s: Scalars) => z.ZodType<ChildTopic> = part((s) =>
  z
    .object({
      get children(): z.ZodOptional<z.ZodNullable<z.ZodArray<z.ZodType<ChildTopic>>>> {
        return z.array(childTopic(s)).nullish();
      },
      name: s.name,
      pathIdentifier: s.pathIdentifier.nullish(),
    })
    .meta({ id: "ChildTopic" }),
);

const topicFields = part((s) => ({
  language: s.text,
  displayColor: s.text.nullish(),
  parentId: s.id.nullish(),
  pathIdentifier: s.pathIdentifier.nullish(),
  meta: z.array(keyValue(s)).nullish(),
  ...resourceIdentifier(s),
}));

const topicIdentity = (s: Scalars) => ({ topicId: s.id.optional(), ...resourceIdentifier(s) });

/** A topic may be created along with a tree of topics below it. */
export const createTopic = part((s) =>
  z.object({ ...topicFields(s), name: s.name, children: z.array(childTopic(s)).nullish() }),
);

/** Absent fields stay unchanged. Topics below it are updated on their own. */
export const updateTopic = part((s) =>
  z
    .object({ ...topicFields(s), name: s.name.nullish(), ...topicIdentity(s) })
    .superRefine(identifiedBy("topicId")),
);

/** Needs an identity, to know whether the topic exists. */
export const upsertTopic = part((s) =>
  createTopic(s).extend(topicIdentity(s)).superRefine(identifiedBy("topicId")),
);

/** A topic to delete, by id or resource identifier. */
export const deleteTopic = part((s) => z.object(topicIdentity(s)).superRefine(identifiedBy("topicId")));

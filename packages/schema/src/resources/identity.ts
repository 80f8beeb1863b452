import type { z } from "zod";
import type { Scalars } from "../scalars.ts";

/** A client's name for an entity, which stays whatever its id. */
export const resourceIdentifier = (s: Scalars) => ({
  resourceIdentifier: s.field(
    "Your identifier of the entity, by which later operations find it",
    s.filledKey.optional(),
  ),
});

/** The two ways to identify an item. */
export const itemIdentity = (s: Scalars) => ({
  itemId: s.field("Id of the item; it takes precedence over `resourceIdentifier`", s.id.optional()),
  ...resourceIdentifier(s),
});

/** A refinement of a payload that changes something: it must be identified by id or resource identifier. */
export function identifiedBy(idField: "id" | "itemId" | "topicId") {
  return (payload: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    if (payload[idField] || payload.resourceIdentifier) return;
    const message = `needs "${idField}" or "resourceIdentifier", to say which one is meant`;
    context.addIssue({ code: "custom", message, params: { code: "MissingIdentity" } });
  };
}

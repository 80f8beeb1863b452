/** Everything that an operation can have done. */
export const actions = ["created", "updated", "unchanged", "deleted", "published", "unpublished"] as const;

export type Action = (typeof actions)[number];

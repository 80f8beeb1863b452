import { operatorGraphql, type ResultOf } from "./documents.ts";

/** The fields that are selected of a group's role. */
export const groupRoleFields = operatorGraphql(`
  fragment GroupRoleFields on GroupRole { group tenantIdentifier role }`);

export type GroupRole = ResultOf<typeof groupRoleFields>;

import { tokenRoles } from "@lading/schema/internal";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { FieldRights } from "../../packages/service/src/graphql/root-fields.ts";
import { routeRights } from "../../packages/service/src/http/access.ts";
import { may, type Right, rights } from "../../packages/service/src/tenants/rights.ts";
import { code, table } from "./markdown.ts";

const schema = coreSchema();
const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map(({ name, extensions }) => ({
    name,
    ...(extensions.rights as FieldRights<unknown>),
  })),
);

/** The rights of each role of access tokens, with the requests that need them. */
export function rightsTable(): string {
  const rows = (Object.keys(rights) as Right[]).map((right) => [
    rights[right].name,
    ...tokenRoles.map((role) => (may({ role }, right) ? "yes" : "")),
    [...fieldsOf(right), ...routesOf(right), parts[right] ?? []].flat().join("; "),
  ]);
  return table(["", ...tokenRoles.map(code), "Needed by"], rows);
}

/** Parts of root fields and routes that need another right than the whole. */
const parts: Partial<Record<Right, string>> = {
  readPlannedValues: "`OperationLog.changes` in plans of files",
  readValues: "`OperationLog.changes` and `Operation.rows`",
  readPersonalData: "`/@{tenant}/export` of customers and orders",
};

function fieldsOf(right: Right): string[] {
  if (right === "read") return ["every other query, and subscriptions"];
  if (right === "write") return ["every mutation, except as a planner may"];
  return fields.flatMap(({ name, right: needed, exception }) => {
    if (needed === right) return [code(name)];
    return exception?.right === right ? [`${code(name)} ${exception.name}`] : [];
  });
}

const routesOf = (right: Right): string[] =>
  Object.entries(routeRights)
    .filter(([, needed]) => needed === right)
    .map(([route]) => code(route.replace(/:(\w+)/g, "{$1}").replace("*", "{key}")));

import { exportKinds, keysOf, tokenRoles } from "@lading/schema/internal";
import { isObjectType, type OperationTypeNode } from "graphql";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import type { FieldRights } from "../../packages/service/src/graphql/field-rights.ts";
import { exportRights } from "../../packages/service/src/http/files/export-route.ts";
import { type Caller, callers, routeRights } from "../../packages/service/src/http/route-rights.ts";
import { may, type Right, rights } from "../../packages/service/src/tenants/rights.ts";
import { code, table } from "./markdown.ts";

const schema = coreSchema();

interface GuardedField extends FieldRights<unknown> {
  /** Its type, which says whether it is a query, a mutation, a subscription or a part of an answer. */
  of: string;
  name: string;
}

const fields: readonly GuardedField[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ of: type.name, ...field })))
  .filter(({ extensions }) => "rights" in extensions)
  .map(({ of, name, extensions }) => ({ of, name, ...(extensions.rights as FieldRights<unknown>) }));

const rootTypes = (["query", "mutation", "subscription"] as OperationTypeNode[]).map((kind) => ({
  kind,
  fields: fields.filter(({ of }) => of === schema.getRootType(kind)?.name),
}));

/** The rights of each role of access tokens, with the requests that need them. */
export function rightsTable(): string {
  const rows = keysOf(rights).map((right) => [
    rights[right].name,
    ...tokenRoles.map((role) => (may({ role }, right) ? "yes" : "")),
    [...fieldsOf(right), ...routesOf(right), ...exportsOf(right)].join("; "),
  ]);
  return table(["", ...tokenRoles.map(code), "Needed by"], rows);
}

/** The routes that need no access token, by those who may call them. */
export function openRoutesTable(): string {
  const rows = keysOf(callers).map((caller) => [callers[caller], routesOf(caller).join(", ")]);
  return table(["Who may call it", "Route"], rows);
}

function fieldsOf(right: Right): string[] {
  const usual = rootTypes.filter((type) => isUsual(type, right));
  const others = fields.filter((field) => !usual.some((type) => type.fields.includes(field)));
  return [
    ...usual.map((type) => allOf(type, right)),
    ...others.filter((field) => field.right === right).map(named),
    ...fields
      .filter(({ exception }) => exception?.right === right)
      .map((field) => `${named(field)} ${field.exception?.name}`),
  ];
}

/** `bulkTasks`, or `OperationLog.changes` */
const named = (field: GuardedField) =>
  code(rootTypes.some(({ fields }) => fields.includes(field)) ? field.name : `${field.of}.${field.name}`);

/** True if most root fields of a type need the right. */
const isUsual = ({ fields }: (typeof rootTypes)[number], right: Right) =>
  fields.filter((field) => field.right === right).length > fields.length / 2;

/** `every other query`, or `every mutation, except where uploading and planning suffices` */
function allOf({ kind, fields }: (typeof rootTypes)[number], right: Right): string {
  const isAll = fields.every((field) => field.right === right);
  const lesser = new Set(
    fields.flatMap(({ exception }) => (exception ? [rights[exception.right].name] : [])),
  );
  const except = lesser.size > 0 ? `, except where ${[...lesser].join(" or ")} suffices` : "";
  return `every ${isAll ? "" : "other "}${kind}${except}`;
}

const routesOf = (right: Right | Caller): string[] =>
  Object.entries(routeRights)
    .filter(([, needed]) => needed === right)
    .map(([route]) => shown(route));

const exportsOf = (right: Right): string[] => {
  const kinds = exportKinds.filter((kind) => exportRights[kind] === right);
  return right === "read" || kinds.length === 0
    ? []
    : [`${code("GET /@{tenant}/export")} of ${kinds.map(code).join(", ")}`];
};

/** `GET /@:tenant/tasks/:id` → `GET /@{tenant}/tasks/{id}` */
const shown = (route: string) => code(route.replace(/:(\w+)/g, "{$1}"));

import { entityKinds, idOfKeys, nounOf } from "@lading/schema/internal";
import { isObject } from "@lading/schema/internal/is-object";
import { keysOf } from "@lading/schema/internal/tables";
import { graphql } from "../service/documents.ts";
import { request } from "../service/graphql.ts";
import { fittingPage } from "../task/task.ts";
import { type Call, isAdmin } from "./call.ts";
import { entityQueries } from "./entities.ts";
import { mcpLimits } from "./limits.ts";

const personal = entityKinds.filter((kind) => nounOf(kind).isPersonal);

/** The kinds of entities with personal data. */
export const personalKinds: readonly string[] = personal;

const personalNouns = personal.flatMap((kind) => nounOf(kind).intents);

const alternatives = (texts: readonly string[]) => texts.join("|");

/** Calls of helpers that read entities with personal data; of `idOf` each whose kind is not plainly another. */
const personalHelpers = new RegExp(
  alternatives([
    ...keysOf(entityQueries)
      .filter((kind) => personalKinds.includes(kind))
      .map((kind) => `fetch${entityQueries[kind].field}By`),
    `idOf(?! +(?:'|\\\\")(?:${alternatives(keysOf(idOfKeys).filter((kind) => !personalKinds.includes(kind)))})(?:'|\\\\"))`,
  ]),
  "i",
);

const query = graphql(`
  query Inputs($id: ID!, $first: Int) {
    operationLogs(filter: { operationId: $id }, first: $first) { edges { node { index intent input } } }
  }`);

/**
 * Returns the index of a task's first operation of which this token is shown no values and messages. Only an admin's
 * token sees them all: what an operation with personal data read, each that follows may show, by a result or from what
 * was written.
 */
export async function endOfShown(call: Call, id: string): Promise<number> {
  if (await isAdmin(call)) return Number.POSITIVE_INFINITY;
  const ask = (first: number) => request(call.endpoint, query, { id, first });
  const { edges } = (await fittingPage(ask, mcpLimits.operations)).operationLogs;
  const end = edges.findIndex(
    // A retry has no entries of operations that it leaves out, an undo no inputs: those may have read anything.
    ({ node: { index, intent, input } }, at) =>
      index !== at ||
      !isObject(input) ||
      personalNouns.some((noun) => intent.startsWith(`${noun}/`)) ||
      personalHelpers.test(JSON.stringify(input)),
  );
  return end === -1 ? edges.length : end;
}

import {
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { type WholeRow, type WholeRows, wholeRowLimits } from "../../../tasks/changes/whole-rows.ts";
import { type Operation, operationText, operationTextBytes } from "../../../tasks/log/operation.ts";
import type { CoreContext } from "../../context.ts";
import { boolean, integer, text } from "../../derive/non-null.ts";
import { GraphQLJson } from "../../derive/scalars.ts";
import { guardedField } from "../../field-rights.ts";
import { readsMuch } from "../../validation/query-limits.ts";
import { changedSince, OperationLog } from "./operation-log.ts";

const OperationRow = new GraphQLObjectType<WholeRow, CoreContext>({
  name: "OperationRow",
  description: "A row that an operation wrote.",
  fields: {
    entity: { type: text, description: "Such as `item`, `itemContent`, `productVariant` or `order`." },
    key: { type: GraphQLJson, description: "Its key; an id created by a plan is `new`." },
    action: { type: text, description: "created, updated or deleted." },
    before: {
      type: GraphQLJson,
      description: "The previous values of changed columns, of a deleted row all; null: there was none.",
    },
    after: {
      type: GraphQLJson,
      description:
        "The same columns after the operation, of a created row all; null: there is no row, `changedSince`, or they are " +
        "not kept, as in tasks of earlier versions.",
    },
    changedSince: { type: boolean, description: changedSince },
  },
});

const OperationRows = new GraphQLObjectType<WholeRows, CoreContext>({
  name: "OperationRows",
  fields: {
    entities: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(OperationRow))) },
    isComplete: {
      type: boolean,
      description:
        `False where there are more than ${wholeRowLimits.entities} rows, or more of them than one operation shows or ` +
        "one request reads.",
    },
  },
});

export const BulkTaskOperation = new GraphQLObjectType<Operation, CoreContext>({
  name: "BulkTaskOperation",
  description: "An executed operation of a bulk task, and its position in the file.",
  fields: {
    index: { type: integer, description: "The operation's index in the list, from 0." },
    offset: {
      type: GraphQLFloat,
      description: "Its byte offset in the file; null in an undo, which has no file, and in old entries.",
      resolve: ({ position }) => position?.offset ?? null,
    },
    length: {
      type: GraphQLInt,
      description: "Its bytes in the file; null like `offset`.",
      resolve: ({ position }) => position?.length ?? null,
    },
    text: {
      type: GraphQLString,
      description:
        `Its text in the file, the first ${operationTextBytes} bytes; null like \`offset\`, and when the file is gone ` +
        "or was replaced.",
      resolve: ({ position, log }, _given, { services, tenant }) =>
        position && operationText(services, { tenantId: tenant.id, taskId: log.operationId }, position),
    },
    isTextCut: {
      type: boolean,
      description: "True: it is longer than `text` can be.",
      resolve: ({ position }) => position !== null && position.length > operationTextBytes,
    },
    rows: guardedField<Operation>({
      right: "readValues",
      type: OperationRows,
      extensions: readsMuch(),
      description:
        "The rows that it wrote, with whole values. For admin tokens; null for others, and where nothing was written or " +
        "kept.",
      resolve: ({ index, log }, { loaders }) => loaders.wholeRows(log.operationId, index),
    }),
    log: { type: new GraphQLNonNull(OperationLog), description: "Its entry in the log." },
  },
});

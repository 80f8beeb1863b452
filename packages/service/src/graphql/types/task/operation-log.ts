import { actions, operationStatuses } from "@lading/schema/internal";
import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { LoggedOperation as StoredOperation } from "../../../storage/task-details/operation-logs.ts";
import type { OperationLog as LogEntry } from "../../../tasks/logs.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { boolean, float, id, integer, text, time } from "../../derive/non-null.ts";
import { GraphQLJson } from "../../derive/scalars.ts";
import { forOwnPlan, guardedField } from "../../field-rights.ts";
import { readsMuch } from "../../validation/query-limits.ts";

export const OperationStatus = lenientEnum("OperationStatus", operationStatuses);

export const OperationAction = lenientEnum("OperationAction", actions);

const LoggedOperation = new GraphQLObjectType<StoredOperation, CoreContext>({
  name: "LoggedOperation",
  description: "An operation in the log of a bulk task.",
  fields: {
    operationId: { type: id, description: "The bulk task.", resolve: ({ task }) => task },
    index: { type: integer },
  },
});

const OperationValueChange = new GraphQLObjectType({
  name: "OperationValueChange",
  fields: {
    pointer: { type: text, description: "JSON pointer (RFC 6901) into the entity, such as `/name`." },
    before: { type: GraphQLJson, description: "The previous value; null: there was none." },
    after: {
      type: GraphQLJson,
      description: "The new value; null: there is none, or it is not kept, as in tasks of earlier versions.",
    },
  },
});

export const changedSince =
  "True for an entity that a run, retry or undo created, and that was changed or deleted since: its values as created " +
  "are not kept, and are not shown.";

const OperationEntityChange = new GraphQLObjectType({
  name: "OperationEntityChange",
  description: "An entity that an operation changed, or would change.",
  fields: {
    entity: { type: text, description: "Such as `item`, `itemContent`, `productVariant` or `order`." },
    key: { type: GraphQLJson, description: "Its key; an id created by a plan is `new`." },
    action: { type: text, description: "created, updated or deleted." },
    values: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(OperationValueChange))) },
    changedSince: { type: boolean, description: changedSince },
  },
});

const OperationChanges = new GraphQLObjectType({
  name: "OperationChanges",
  fields: {
    entities: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(OperationEntityChange))) },
    more: { type: integer, description: "Values and entities that are not listed: too many, or too large." },
    isComplete: {
      type: boolean,
      description:
        "False when the request reached its limit of stored values before the last of this operation's: query " +
        "again from this entry on.",
    },
  },
});

export const OperationLog = new GraphQLObjectType<LogEntry, CoreContext>({
  name: "OperationLog",
  description: "The result of one operation of a bulk task.",
  fields: {
    id: { type: id },
    operationId: { type: id, description: "The bulk task." },
    index: { type: integer, description: "The operation's index in the file, from 0." },
    ref: { type: GraphQLString, description: "The operation's `_ref`." },
    intent: { type: text },
    status: { type: new GraphQLNonNull(OperationStatus) },
    statusCode: { type: integer },
    errorName: {
      type: GraphQLString,
      description:
        "The name of the error, as the mutation returns it; null on success, and in old entries without it.",
    },
    action: {
      type: GraphQLString,
      description: "created, updated, unchanged, deleted, published or unpublished.",
    },
    message: { type: GraphQLString, description: "The change made, or the reason for the failure." },
    input: { type: GraphQLJson, description: "The operation as written." },
    command: {
      type: GraphQLJson,
      description:
        "The input as executed, with its templates rendered; as written if one could not be rendered.",
    },
    unknownUntilApplied: {
      type: new GraphQLNonNull(new GraphQLList(text)),
      description:
        "For a plan: JSON pointers into `command` to values known only once the file is run, such as keys of images.",
    },
    changes: guardedField<LogEntry>({
      right: "readValues",
      exception: forOwnPlan("readPlannedValues", ({ operationId }) => operationId),
      type: OperationChanges,
      extensions: readsMuch(),
      description:
        "The stored values that the operation changed or, in a plan, would change. For admins and, of plans of its own, " +
        "a planner; null for others, and where nothing was changed or kept.",
      resolve: ({ operationId, index }, { loaders }) => loaders.changes(operationId, index),
    }),
    output: { type: GraphQLJson, description: "Values that later operations can refer to." },
    errors: { type: GraphQLJson, description: "The errors: a list of {code, message, path}." },
    repairedBy: {
      type: GraphQLID,
      description:
        "The retry that executed the operation successfully since it failed, or was partial, in this task.",
    },
    startedAt: { type: time },
    durationMs: { type: float },
    undoes: {
      type: LoggedOperation,
      description: "The operation that an undo has undone; null in other tasks.",
    },
  },
});

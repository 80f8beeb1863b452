import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { type AppliedFile, appliedFileStates } from "../../../tasks/applied-files.ts";
import type { CoreContext } from "../../context.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { id, listOf, text } from "../../derive/non-null.ts";
import { BulkTaskMassOperation, RetriedOutcomeEnum } from "./bulk-task.ts";

const AppliedFileStateEnum = lenientEnum("AppliedFileState", appliedFileStates, {
  APPLIED:
    "All operations succeeded, in the run or its retries, or the file was accepted; and none is undone.",
  PENDING: "The run had no effect, for example because of an invalid file, or is undone as a whole.",
  FAILED: "Some operations succeeded and some did not, or some are undone.",
  RUNNING: "The run, or a retry or an undo of it, has not ended.",
});

export const AppliedFileType = new GraphQLObjectType<AppliedFile, CoreContext>({
  name: "AppliedFile",
  description: "A file of a folder whose files are applied once.",
  fields: {
    name: { type: text },
    state: { type: new GraphQLNonNull(AppliedFileStateEnum) },
    sha256: {
      type: GraphQLString,
      description:
        "SHA-256 of the file that counts as applied, in hexadecimal: the one that was run, or the last one that was " +
        "accepted. Null until it has been read.",
    },
    task: {
      type: new GraphQLNonNull(BulkTaskMassOperation),
      description:
        "The run of the file that counts: one that has not ended, else one in effect, else the newest.",
    },
    unfinishedTask: {
      type: GraphQLID,
      description: "The id of the run, or of a retry or an undo of it, that has not ended.",
    },
    toRetry: {
      type: GraphQLID,
      description:
        "For a file that has failed, the id of the task to retry: the run or its last retry. Null if that cannot be " +
        "retried, for example because its log was pruned or a part is undone.",
    },
    outcomesToRetry: {
      type: listOf(RetriedOutcomeEnum),
      description:
        "The outcomes that operations are left with, for `include` of a retry; empty where `toRetry` is null.",
    },
    toUndo: {
      type: listOf(id),
      description:
        "For a file that has failed, the ids of the tasks to undo, in this order: the retries and the run. Empty if " +
        "one of them cannot be undone, for example because its before-images are gone.",
    },
  },
});

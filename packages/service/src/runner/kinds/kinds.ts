import type { BulkTaskKind } from "../../storage/bulk-tasks/kind.ts";
import type { ExecuteTurn } from "../execute/execute-task.ts";
import { plan } from "./plan.ts";
import { retry } from "./retry.ts";
import { run } from "./run.ts";
import { undo } from "./undo.ts";

/** The code that executes each kind of bulk task. */
export const kinds: Readonly<Record<BulkTaskKind, ExecuteTurn>> = { run, plan, retry, undo };

import { commandOf } from "../../commands/registry.ts";
import type { PreparedOperation } from "./operation-source.ts";

/** The operations up to the first that changes settings: a batch reads them before its first operation. */
export function upToSettings(operations: readonly PreparedOperation[]): readonly PreparedOperation[] {
  const at = operations.findIndex(({ intent }) => commandOf(intent).changesSettings);
  return at === -1 ? operations : operations.slice(0, at + 1);
}

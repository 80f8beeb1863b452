import type { JsonPath, LocatedOperation } from "@lading/schema/internal";
import { toPointer } from "@lading/schema/internal/json-pointer";
import type { LogEntry } from "./task.ts";

export interface Positions {
  /** `shop.json:12:9 /operations/3/sku`, or the JSON pointer alone where the file is not at hand. */
  positionOf(entry: LogEntry): Promise<string>;
  close(): Promise<void>;
}

export const pointersOnly: Positions = {
  positionOf: async ({ index, errors }) => pointerOf(index, pathOf(errors)),
  close: async () => {},
};

/** The path of the first error into the operation's payload; errors are JSON in the schema. */
const pathOf = (errors: LogEntry["errors"]): JsonPath =>
  (errors as { path: JsonPath }[] | null)?.[0]?.path ?? [];

function pointerOf(index: number, path: JsonPath): string {
  return toPointer(["operations", index, ...path]);
}

/**
 * Finds positions in the executed file. The file is read once, up to the last failure, so entries must come in the
 * order of their operations. A file that has changed since yields pointers only.
 * @param name the file's name in the positions
 */
export function positionsIn(read: () => AsyncIterable<Uint8Array>, name: string): Positions {
  let operations: AsyncGenerator<LocatedOperation> | undefined;
  return {
    async positionOf({ index, errors, intent }) {
      const inPayload = pathOf(errors);
      const { locatedOperations, positionInFile } = await import("@lading/schema/internal");
      operations ??= locatedOperations(read());
      const operation = await advance(operations, index).catch(() => undefined);
      if (operation === undefined || !operation.text.includes(intent)) return pointerOf(index, inPayload);
      const { line, column } = positionInFile(operation, toPointer(inPayload));
      return `${name}:${line}:${column} ${pointerOf(index, inPayload)}`;
    },
    close: async () => void (await operations?.return(undefined)),
  };
}

async function advance(
  operations: AsyncGenerator<LocatedOperation>,
  index: number,
): Promise<LocatedOperation | undefined> {
  for (;;) {
    const { value, done } = await operations.next();
    if (done || value.index === index) return done ? undefined : value;
  }
}

import type { Loaded } from "../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult, Handler } from "./command.ts";

/** The parts of the commands that create, update and upsert one kind of row. */
interface Writing<Row, New, Changed> {
  readonly keys: Handler<New>["keys"] & Handler<Changed>["keys"];
  /** Declares the rows an update reads, if fewer. Default: `keys`. */
  readonly updateKeys?: Handler<Changed>["keys"];
  /** The row identified by a payload; undefined if there is none. */
  find(unit: UnitOfWork, payload: Changed): Loaded<Row | undefined>;
  /** Rejects the update of a missing row. */
  missing(payload: Changed, unit: UnitOfWork): Promise<never> | never;
  create(context: CommandContext, payload: New): Promise<CommandResult>;
  update(context: CommandContext, row: Row, payload: Changed): Promise<CommandResult>;
  /** The payload of an upsert's update. Default: its own. */
  upserted?(row: Row, payload: New): Changed;
}

export interface WriteCommands<New, Changed> {
  readonly create: Handler<New>;
  readonly update: Handler<Changed>;
  readonly upsert: Handler<New>;
}

/** Makes the three commands of one kind of row: an upsert updates the row its payload names, or creates it. */
export function writeCommands<Row, Changed, New extends Changed>(
  writing: Writing<Row, New, Changed>,
): WriteCommands<New, Changed> {
  const { keys, updateKeys = keys, find, missing, create, update } = writing;
  const { upserted = (_: Row, payload: New): Changed => payload } = writing;
  return {
    create: { keys, execute: create },
    update: {
      keys: updateKeys,
      async execute(context, payload) {
        const row = (await find(context.unit, payload)) ?? (await missing(payload, context.unit));
        return update(context, row, payload);
      },
    },
    upsert: {
      keys,
      async execute(context, payload) {
        const row = await find(context.unit, payload);
        return row === undefined ? create(context, payload) : update(context, row, upserted(row, payload));
      },
    },
  };
}

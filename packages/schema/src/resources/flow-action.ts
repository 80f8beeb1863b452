import { z } from "zod";
import { part } from "../scalars.ts";

const moves = {
  advance: "moves the item to the next stage",
  move: "moves the item to the stage that `move` names",
  removeFromFlow: "takes the item out of the flow",
} as const;

const actions = {
  advance: moves.advance,
  move: moves.move,
  publish: "publishes the item",
  removeFromFlow: moves.removeFromFlow,
  unpublish: "unpublishes the item",
  waitAbsolute: "waits until a date that all items share",
  waitIndividual: "waits until a date that each item has of its own",
  waitRelative: "waits for a time after the item entered the stage",
} as const;

const withoutDate = { skip: "continues without waiting", stall: "waits until somebody acts" } as const;

const move = part((s) =>
  z
    .object({
      targetStageIdentifier: s.field(
        "Identifier of the stage to move the item to, in the same flow",
        s.filledText,
      ),
    })
    .meta({ id: "FlowMove" }),
);

const failureAction = part((s) =>
  z
    .object({
      action: s.field("What to do with an item when the action fails", s.oneOf(moves)),
      move: s.field("Settings of `move`", move(s).nullish()),
    })
    .meta({ id: "FlowFailureAction" }),
);

const publish = part((s) =>
  z
    .object({
      onFailure: s.field(
        "What to do when the item cannot be published or unpublished",
        failureAction(s).nullish(),
      ),
    })
    .meta({ id: "FlowPublishing" }),
);

const waitAbsolute = part((s) =>
  z.object({ until: s.field("When the wait ends", s.dateTime) }).meta({ id: "FlowAbsoluteWait" }),
);

const waitIndividual = part((s) =>
  z
    .object({
      onExpiredDatetime: s.field(
        "What to do with an item whose date has passed",
        s.oneOf(withoutDate).nullish(),
      ),
      onMissingDatetime: s.field("What to do with an item that has no date", s.oneOf(withoutDate).nullish()),
    })
    .meta({ id: "FlowIndividualWait" }),
);

const waitRelative = part((s) =>
  z
    .object({
      days: s.field("Days to wait", s.integer.nullish()),
      hours: s.field("Hours to wait, after the days", s.integer.nullish()),
      minutes: s.field("Minutes to wait, after the hours", s.integer.nullish()),
    })
    .meta({ id: "FlowRelativeWait" }),
);

export const flowAction = part((s) =>
  z
    .object({
      action: s.field("The action on an item that enters the stage", s.oneOf(actions)),
      move: s.field("Settings of `move`", move(s).nullish()),
      publish: s.field("Settings of `publish`", publish(s).nullish()),
      unpublish: s.field("Settings of `unpublish`", publish(s).nullish()),
      waitAbsolute: s.field("Settings of `waitAbsolute`", waitAbsolute(s).nullish()),
      waitIndividual: s.field("Settings of `waitIndividual`", waitIndividual(s).nullish()),
      waitRelative: s.field("Settings of `waitRelative`", waitRelative(s).nullish()),
    })
    .meta({ id: "FlowAction" }),
);

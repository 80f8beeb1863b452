import { z } from "zod";
import { part } from "../scalars.ts";

const actions = [
  "advance",
  "move",
  "publish",
  "removeFromFlow",
  "unpublish",
  "waitAbsolute",
  "waitIndividual",
  "waitRelative",
] as const;

const move = part((s) => z.object({ targetStageIdentifier: s.filledText }).meta({ id: "FlowMove" }));

const failureAction = part((s) =>
  z
    .object({ action: s.oneOf(["advance", "move", "removeFromFlow"]), move: move(s).nullish() })
    .meta({ id: "FlowFailureAction" }),
);

const publish = part((s) =>
  z.object({ onFailure: failureAction(s).nullish() }).meta({ id: "FlowPublishing" }),
);

const waitAbsolute = part((s) => z.object({ until: s.dateTime }).meta({ id: "FlowAbsoluteWait" }));

const waitIndividual = part((s) =>
  z
    .object({
      onExpiredDatetime: s.oneOf(["skip", "stall"]).nullish(),
      onMissingDatetime: s.oneOf(["skip", "stall"]).nullish(),
    })
    .meta({ id: "FlowIndividualWait" }),
);

const waitRelative = part((s) =>
  z
    .object({ days: s.integer.nullish(), hours: s.integer.nullish(), minutes: s.integer.nullish() })
    .meta({ id: "FlowRelativeWait" }),
);

/** The action of a stage on an item that enters it. */
export const flowAction = part((s) =>
  z
    .object({
      action: s.oneOf(actions),
      move: move(s).nullish(),
      publish: publish(s).nullish(),
      unpublish: publish(s).nullish(),
      waitAbsolute: waitAbsolute(s).nullish(),
      waitIndividual: waitIndividual(s).nullish(),
      waitRelative: waitRelative(s).nullish(),
    })
    .meta({ id: "FlowAction" }),
);

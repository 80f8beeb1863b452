import type { Command } from "../command.ts";
import { changeTopic } from "./change.ts";
import { requireTopic } from "./find.ts";
import { wantForUpdate } from "./keys.ts";

export const command: Command<"topic/update"> = {
  keys: (payload, want) => wantForUpdate(payload, want),
  async execute(context, payload) {
    const topic = await requireTopic(context.unit, payload);
    const changed = await changeTopic(context, topic, payload);
    return { action: changed ? "updated" : "unchanged", output: { id: topic.id } };
  },
};

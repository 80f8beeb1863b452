import type { Command } from "../../domain/command.ts";
import { changeTopic } from "../../domain/topic/change.ts";
import { requireTopic } from "../../domain/topic/find.ts";
import { prefetchForUpdate } from "../../domain/topic/keys.ts";

export const command: Command<"topic/update"> = {
  keys: (payload, prefetch) => prefetchForUpdate(payload, prefetch),
  async execute(context, payload) {
    const topic = await requireTopic(context.unit, payload);
    const changed = await changeTopic(context, topic, payload);
    return { action: changed ? "updated" : "unchanged", output: { id: topic.id } };
  },
};

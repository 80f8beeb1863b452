import type { Command } from "../../domain/command.ts";
import { createTopic } from "../../domain/topic/create.ts";
import { prefetchForCreate } from "../../domain/topic/keys.ts";

export const command: Command<"topic/create"> = {
  keys: prefetchForCreate,
  execute: (context, payload) => createTopic(context, payload),
};

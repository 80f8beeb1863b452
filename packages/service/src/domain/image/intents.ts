import type { Commands } from "../command.ts";
import { registerKey } from "./register.ts";

export const imageIntents = {
  "image/register": registerKey,
} satisfies Partial<Commands>;

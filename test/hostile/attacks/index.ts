import type { Attack } from "../attack.ts";
import { bodyAttacks } from "./bodies.ts";
import { connectionAttacks } from "./connections.ts";
import { fileAttacks } from "./files.ts";
import { imageAttacks } from "./images.ts";
import { queryAttacks } from "./queries.ts";
import { sessionAttacks } from "./sessions.ts";
import { taskAttacks } from "./tasks.ts";
import { templateAttacks } from "./templates.ts";

/** No attack: the baseline of this machine. */
const peace: Attack = { name: "none", run: async () => "nothing was sent" };

export const attacks: readonly Attack[] = [
  peace,
  ...templateAttacks,
  ...queryAttacks,
  ...bodyAttacks,
  ...fileAttacks,
  ...imageAttacks,
  ...connectionAttacks,
  ...sessionAttacks,
  ...taskAttacks,
];

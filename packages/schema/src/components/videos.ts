import { z } from "zod";
import { video } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** Videos, by the keys under which they are stored. */
export const videos = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "VideosConfig" }),
  content: z.array(video(s)),
}));

import { z } from "zod";
import { image } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

/** Images, by the keys under which they are stored. */
export const images = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "ImagesConfig" }),
  content: z.array(image(s)),
}));

import { z } from "zod";
import { part } from "../scalars.ts";
import { resourceIdentifier } from "./identity.ts";

/** Makes a stored file known as an image. */
export const registerImage = part((s) =>
  z.object({ key: s.filledText, language: s.filledText.optional(), ...resourceIdentifier(s) }),
);

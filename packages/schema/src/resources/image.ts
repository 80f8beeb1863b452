import { z } from "zod";
import type { IntentRows } from "../intent-rows.ts";
import { part } from "../scalars.ts";
import { resourceIdentifier } from "./identity.ts";

const registerImage = part((s) =>
  z.object({
    key: s.field("Key under which the file was uploaded", s.filledText),
    language: s.field("Language of the image; stored, without further meaning", s.filledText.optional()),
    ...resourceIdentifier(s),
  }),
);

export const imageIntents = {
  "image/register": {
    payload: registerImage,
    about: "Registers an image that is stored under a key",
    subject: "image",
    untimed: true,
    result: ["id", "key", "language"],
  },
} as const satisfies IntentRows;

import { z } from "zod";
import { keyValue } from "../resources/key-value.ts";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const contentType = part((s) =>
  z.object({ contentType: s.text, extensionLabel: s.text.optional() }).meta({ id: "AcceptedContentType" }),
);

const fileSize = part((s) =>
  z.object({ size: s.number, unit: s.oneOf(["Bytes", "KiB", "MiB", "GiB"]) }).meta({ id: "FileSize" }),
);

const file = part((s) =>
  z
    .object({ key: s.filledText, title: s.text.optional(), meta: z.array(keyValue(s)).optional() })
    .meta({ id: "File" }),
);

/** Files, by the keys under which they are stored. Unlike images they must have a largest size. */
export const files = part((s) => ({
  config: limitedConfig(s, {
    acceptedContentTypes: z.array(contentType(s)).optional(),
    maxFileSize: fileSize(s),
  }).meta({ id: "FilesConfig" }),
  content: z.array(file(s)),
}));

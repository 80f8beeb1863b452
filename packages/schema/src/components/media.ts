import { z } from "zod";
import { keyValue } from "../resources/key-value.ts";
import { image, video } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const contentType = part((s) =>
  z
    .object({
      contentType: s.field("MIME type that is accepted, such as `application/pdf`", s.text),
      extensionLabel: s.field("Name of the type that people see, such as `PDF`", s.text.optional()),
    })
    .meta({ id: "AcceptedContentType" }),
);

const fileSize = part((s) =>
  z
    .object({
      size: s.field("The number of units", s.number),
      unit: s.field(
        "Unit of the size",
        s.oneOf({ Bytes: "bytes", KiB: "1,024 bytes", MiB: "1,024 KiB", GiB: "1,024 MiB" }),
      ),
    })
    .meta({ id: "FileSize" }),
);

const file = part((s) =>
  z
    .object({
      key: s.field("Key under which the file is stored", s.filledText),
      title: s.field("Title of the file", s.text.optional()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).optional()),
    })
    .meta({ id: "File" }),
);

/** Files, by their storage keys. Unlike images they must have a maximum size. */
export const files = part((s) => ({
  config: limitedConfig(s, {
    acceptedContentTypes: s.field(
      "Types of files that are accepted; without any, all",
      z.array(contentType(s)).optional(),
    ),
    maxFileSize: s.field("Maximum size of a file", fileSize(s)),
  }).meta({ id: "FilesConfig" }),
  content: z.array(file(s)),
}));

/** Images, by their storage keys. */
export const images = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "ImagesConfig" }),
  content: z.array(image(s)),
}));

/** Videos, by their storage keys. */
export const videos = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "VideosConfig" }),
  content: z.array(video(s)),
}));

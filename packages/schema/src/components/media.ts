import { z } from "zod";
import { keyValue } from "../resources/key-value.ts";
import { image, video } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { limitedConfig } from "./settings.ts";

const contentType = part((s) =>
  z
    .object({
      contentType: s.field("MIME type that is accepted, such as `application/pdf`", s.text),
      extensionLabel: s.field("How people know the type, such as `PDF`", s.text.optional()),
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

/** Files, by the keys under which they are stored. Unlike images they must have a largest size. */
export const files = part((s) => ({
  config: limitedConfig(s, {
    acceptedContentTypes: s.field(
      "Types of files that are accepted; without any, all",
      z.array(contentType(s)).optional(),
    ),
    maxFileSize: s.field("Largest size of a file", fileSize(s)),
  }).meta({ id: "FilesConfig" }),
  content: z.array(file(s)),
}));

/** Images, by the keys under which they are stored. */
export const images = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "ImagesConfig" }),
  content: z.array(image(s)),
}));

/** Videos, by the keys under which they are stored. */
export const videos = part((s) => ({
  config: limitedConfig(s, {}).meta({ id: "VideosConfig" }),
  content: z.array(video(s)),
}));

import { z } from "zod";
import { richText } from "../components/rich-text.ts";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

const focalPoint = part((s) =>
  z.object({ x: s.numberFrom(0), y: s.numberFrom(0) }).meta({ id: "FocalPoint" }),
);

/** `hotpost` is how the field is spelled on the wire. */
const showcase = part((s) =>
  z
    .object({
      itemIds: z.array(s.id).optional(),
      skus: z.array(s.text).optional(),
      hotpost: focalPoint(s).optional(),
      meta: z.array(keyValue(s)).optional(),
    })
    .meta({ id: "Showcase" }),
);

/** A use of an image, by the key under which it is stored. */
export const image = part((s) =>
  z
    .object({
      key: s.filledText,
      mimeType: s.text.nullish(),
      altText: s.text.nullish(),
      caption: richText(s).content.nullish(),
      meta: z.array(keyValue(s)).nullish(),
      focalPoint: focalPoint(s).nullish(),
      showcase: z.array(showcase(s)).nullish(),
    })
    .meta({ id: "Image" }),
);

/** A use of a video, by the key under which it is stored. */
export const video = part((s) =>
  z
    .object({ key: s.filledText, thumbnails: z.array(image(s)).optional(), title: s.text.optional() })
    .meta({ id: "Video" }),
);

import { z } from "zod";
import { richText } from "../components/simple.ts";
import { part } from "../scalars.ts";
import { keyValue } from "./key-value.ts";

const focalPoint = part((s) =>
  z
    .object({
      x: s.field("Horizontal position, counted from the left", s.numberFrom(0)),
      y: s.field("Vertical position, counted from the top", s.numberFrom(0)),
    })
    .meta({ id: "FocalPoint" }),
);

/** `hotpost` is how the field is spelled in the API. */
const showcase = part((s) =>
  z
    .object({
      itemIds: s.field("Ids of the items that the image shows", z.array(s.id).optional()),
      skus: s.field("SKUs of the variants that the image shows", z.array(s.text).optional()),
      hotpost: s.field("Where on the image they are; the name is spelled this way", focalPoint(s).optional()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).optional()),
    })
    .meta({ id: "Showcase" }),
);

/** A use of an image, by its storage key. */
export const image = part((s) =>
  z
    .object({
      key: s.field("Key of the image, as `image/register` or the helper `upload` returns it", s.filledText),
      mimeType: s.field("MIME type, such as `image/png`", s.text.nullish()),
      altText: s.field("Alternative text, for people who cannot see the image", s.text.nullish()),
      caption: s.field("Caption, as rich text", richText(s).content.nullish()),
      meta: s.field("Keys and values of your own", z.array(keyValue(s)).nullish()),
      focalPoint: s.field(
        "The point of the image that stays visible when it is cropped",
        focalPoint(s).nullish(),
      ),
      showcase: s.field("What the image shows, and where", z.array(showcase(s)).nullish()),
    })
    .meta({ id: "Image" }),
);

/** A use of a video, by its storage key. */
export const video = part((s) =>
  z
    .object({
      key: s.field("Key under which the video is stored", s.filledText),
      thumbnails: s.field("Preview images of the video", z.array(image(s)).optional()),
      title: s.field("Title of the video", s.text.optional()),
    })
    .meta({ id: "Video" }),
);

import { z } from "zod";
import { image, video } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { richText } from "./rich-text.ts";
import { commonSettings } from "./settings.ts";
import { singleLine } from "./single-line.ts";

const paragraph = part((s) =>
  z
    .object({
      title: singleLine(s).content.optional(),
      body: richText(s).content.optional(),
      images: z.array(image(s)).optional(),
      videos: z.array(video(s)).optional(),
    })
    .meta({ id: "Paragraph" }),
);

/** `multilingual` lists which parts of a paragraph differ by language; every other type has a boolean there. */
export const paragraphCollection = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      multilingual: z.array(s.oneOf(["body", "images", "title", "videos", "structure"])),
    })
    .meta({ id: "ParagraphCollectionConfig" }),
  content: z
    .object({ paragraphs: z.array(paragraph(s)).optional() })
    .meta({ id: "ParagraphCollectionContent" }),
}));

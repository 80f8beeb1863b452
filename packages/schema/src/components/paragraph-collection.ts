import { z } from "zod";
import { image, video } from "../resources/media.ts";
import { part } from "../scalars.ts";
import { commonSettings } from "./settings.ts";
import { richText, singleLine } from "./simple.ts";

const paragraph = part((s) =>
  z
    .object({
      title: s.field("Title of the paragraph", singleLine(s).content.optional()),
      body: s.field("Text of the paragraph", richText(s).content.optional()),
      images: s.field("Images of the paragraph", z.array(image(s)).optional()),
      videos: s.field("Videos of the paragraph", z.array(video(s)).optional()),
    })
    .meta({ id: "Paragraph" }),
);

const parts = {
  body: "the text",
  images: "the images",
  title: "the title",
  videos: "the videos",
  structure: "how many paragraphs there are, and in which order",
} as const;

/** `multilingual` lists the parts of a paragraph that differ by language; for every other type it is a boolean. */
export const paragraphCollection = part((s) => ({
  config: z
    .object({
      ...commonSettings(s),
      multilingual: s.field("Parts of a paragraph that differ by language", z.array(s.oneOf(parts))),
    })
    .meta({ id: "ParagraphCollectionConfig" }),
  content: z
    .object({ paragraphs: s.field("The paragraphs, in order", z.array(paragraph(s)).optional()) })
    .meta({ id: "ParagraphCollectionContent" }),
}));

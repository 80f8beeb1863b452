import { type ComponentContent, plainTextOf } from "@lading/schema/internal";

/** Adds `plainText`, named as in the API, to rich texts, and to the media and paragraphs that have them. */

type RichText = NonNullable<ComponentContent["richText"]>;

interface Image {
  caption?: RichText | null | undefined;
}

interface Video {
  thumbnails?: Image[] | null | undefined;
}

interface Paragraph {
  body?: RichText | null | undefined;
  images?: Image[] | null | undefined;
  videos?: Video[] | null | undefined;
}

export const richTextEntity = <Text extends RichText>(text: Text) => ({
  ...text,
  plainText: plainTextOf(text),
});

export const imageEntity = <One extends Image>(image: One) =>
  image.caption ? { ...image, caption: richTextEntity(image.caption) } : image;

export const videoEntity = <One extends Video>(video: One) =>
  video.thumbnails ? { ...video, thumbnails: video.thumbnails.map(imageEntity) } : video;

export const paragraphEntity = ({ body, images, videos, ...rest }: Paragraph) => ({
  ...rest,
  ...(body && { body: richTextEntity(body) }),
  ...(images && { images: images.map(imageEntity) }),
  ...(videos && { videos: videos.map(videoEntity) }),
});

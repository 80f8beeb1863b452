import {
  type ComponentContent,
  type ComponentType,
  componentTypes,
  type NestableContent,
} from "@lading/schema/internal";
import { imageEntity, paragraphEntity, richTextEntity, videoEntity } from "./media.ts";

type Content = ComponentContent | NestableContent;

/** A component that has content, with the names of the API. */
export interface ComponentEntity {
  componentId: string;
  type: ComponentType;
  content: unknown;
}

/** The components of a list that have content, in order. */
export function componentEntities(contents: readonly Content[] | null | undefined): ComponentEntity[] {
  return (contents ?? []).flatMap((content) => componentEntity(content) ?? []);
}

function componentEntity(content: Content): ComponentEntity | undefined {
  const values: { readonly [T in ComponentType]?: unknown } = content;
  const type = componentTypes.find((name) => values[name] !== undefined && values[name] !== null);
  if (type === undefined) return undefined;
  // TypeScript cannot see that the value is the content of that type.
  const inner = insides[type] as ((value: unknown) => object) | undefined;
  return {
    componentId: content.componentId,
    type,
    content: inner === undefined ? values[type] : inner(values[type]),
  };
}

/** Converts content that holds components or rich texts, or is a list; other content is returned as it is stored. */
const insides: Partial<Record<ComponentType, (value: never) => object>> = {
  piece: ({ identifier, components }: { identifier: string; components?: Content[] }) => ({
    identifier,
    components: componentEntities(components),
  }),
  contentChunk: ({ chunks }: { chunks: Content[][] }) => ({ chunks: chunks.map(componentEntities) }),
  componentChoice: (selected: Content) => ({ selectedComponent: componentEntity(selected) ?? null }),
  componentMultipleChoice: (selected: Content[]) => ({ selectedComponents: componentEntities(selected) }),
  images: (images: object[]) => ({ images: images.map(imageEntity) }),
  videos: (videos: object[]) => ({ videos: videos.map(videoEntity) }),
  files: (files: object[]) => ({ files }),
  richText: richTextEntity,
  paragraphCollection: ({ paragraphs, ...rest }: { paragraphs?: object[] }) => ({
    ...rest,
    ...(paragraphs && { paragraphs: paragraphs.map(paragraphEntity) }),
  }),
};

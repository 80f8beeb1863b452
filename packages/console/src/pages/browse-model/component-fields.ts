import { graphql } from "../../api/graphql.ts";

const leaves = graphql(`
  fragment Leaves on ComponentContent {
    ... on BooleanComponentContent { value }
    ... on ColorsComponentContent { colors { label hex } }
    ... on DatetimeComponentContent { datetime }
    ... on FilesComponentContent { files { key title } }
    ... on GridRelationsComponentContent { gridIds }
    ... on ImagesComponentContent { images { key url altText } }
    ... on ItemRelationsComponentContent { itemIds skus }
    ... on LocationComponentContent { lat long }
    ... on NumericComponentContent { number unit }
    ... on ParagraphCollectionComponentContent {
      paragraphs { title { text } body { plainText } images { key url altText } videos { key } }
    }
    ... on PropertiesTableComponentContent { sections { title properties { key value } } }
    ... on RichTextComponentContent { plainText }
    ... on SelectionComponentContent { options { key value } }
    ... on SingleLineComponentContent { text }
    ... on VideosComponentContent { videos { key title } }
  }
`);

const third = graphql(`fragment Third on Component { componentId name type content { ...Leaves } }`, [
  leaves,
]);

const second = graphql(
  `
    fragment Second on Component {
      componentId name type
      content {
        ...Leaves
        ... on PieceComponentContent { identifier components { ...Third } }
        ... on ComponentChoiceComponentContent { selectedComponent { ...Third } }
        ... on ComponentMultipleChoiceComponentContent { selectedComponents { ...Third } }
        ... on ContentChunkComponentContent { chunks { ...Third } }
      }
    }
  `,
  [leaves, third],
);

/** A component with its content and nested components, two levels deep. */
export const componentFields = graphql(
  `
    fragment ComponentFields on Component {
      componentId name type
      content {
        ...Leaves
        ... on PieceComponentContent { identifier components { ...Second } }
        ... on ComponentChoiceComponentContent { selectedComponent { ...Second } }
        ... on ComponentMultipleChoiceComponentContent { selectedComponents { ...Second } }
        ... on ContentChunkComponentContent { chunks { ...Second } }
      }
    }
  `,
  [leaves, second],
);

/** A component as displayed. */
export interface ShownComponent {
  componentId: string;
  name: string | null;
  type: string;
  content: ShownContent;
}

/** The possible contents of a component; each type has some of them. */
export interface ShownContent {
  __typename?: string | undefined;
  value?: boolean | null;
  text?: string | null;
  plainText?: string | null;
  datetime?: string | null;
  number?: number;
  unit?: string | null;
  options?: { key: string; value: string | null }[];
  images?: { key: string; url: string | null; altText: string | null }[] | null;
  skus?: string[] | null;
  itemIds?: string[] | null;
  paragraphs?: Paragraph[] | null;
  sections?: { title: string | null; properties: { key: string; value: string | null }[] | null }[] | null;
  components?: ShownComponent[];
  selectedComponent?: ShownComponent | null;
  selectedComponents?: ShownComponent[];
  chunks?: ShownComponent[][];
}

interface Paragraph {
  title: { text: string | null } | null;
  body: { plainText: string | null } | null;
  images: { key: string; url: string | null; altText: string | null }[] | null;
}

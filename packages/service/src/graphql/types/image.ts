import { GraphQLFloat, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { ImageRow } from "../../storage/collections/images.ts";
import { thumbnailPath, thumbnailWidths } from "../../uploads/keys.ts";
import type { CoreContext } from "../context.ts";
import type { FieldsById } from "../derive/from-zod.ts";
import { listOf, text } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { elementSchema } from "../derive/payload-parts.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";

/** A use of an image, or the registered image itself; its facts are looked up by key. */
interface ImageSource {
  key: string;
  mimeType?: string | null;
}

const ImageVariant = new GraphQLObjectType({
  name: "ImageVariant",
  description: "An image in another size or format. This service makes none.",
  fields: {
    key: { type: text },
    url: { type: text },
    width: { type: GraphQLInt },
    height: { type: GraphQLInt },
  },
});

const ImageThumbnail = new GraphQLObjectType({
  name: "ImageThumbnail",
  description: "An image in WebP for a list or a page. The service makes it at its first request.",
  fields: {
    width: {
      type: new GraphQLNonNull(GraphQLInt),
      description:
        "The most pixels that it is wide; a narrower image is not enlarged. It is at most twice as high.",
    },
    url: {
      type: text,
      description:
        "Its path at the address of the API, such as `/@shop/thumbnails/80/…`. A request for it needs an access token or " +
        "a session of the console. It redirects to the image itself if there is no thumbnail, as for drawings (SVG).",
    },
  },
});

const registered =
  <Value>(read: (image: ImageRow, context: CoreContext) => Value) =>
  async ({ key }: ImageSource, _: object, context: CoreContext) => {
    const image = await context.loaders.image(key);
    return image && read(image, context);
  };

const thumbnailsOf = (key: string, { tenant }: CoreContext) =>
  thumbnailWidths.map((width) => ({ width, url: thumbnailPath(tenant.identifier, width, key) }));

/** Fields of an image that are read from its registration. */
export const imageFields: FieldsById = {
  Image: () => ({
    url: {
      type: GraphQLString,
      description:
        "The URL that serves it; null if no image is registered under the key. The same goes for the fields below.",
      resolve: registered(({ key }, { services }) => services.imageUrl(key)),
    },
    width: {
      type: GraphQLInt,
      description: "In pixels; null also for a drawing (SVG) that does not state it.",
      resolve: registered(({ width }) => width),
    },
    height: { type: GraphQLInt, resolve: registered(({ height }) => height) },
    size: { type: GraphQLFloat, description: "In bytes.", resolve: registered(({ size }) => size) },
    mimeType: {
      type: GraphQLString,
      resolve: async (source: ImageSource, given: object, context: CoreContext) =>
        (await registered(({ mimeType }) => mimeType)(source, given, context)) ?? source.mimeType,
    },
    resourceIdentifier: {
      type: GraphQLString,
      resolve: registered(({ resourceIdentifier }) => resourceIdentifier),
    },
    createdAt: { type: GraphQLDateTime, resolve: registered(({ createdAt }) => createdAt) },
    thumbnails: {
      type: listOf(ImageThumbnail),
      description: "Smaller images, by width; none while no image is registered under the key.",
      resolve: async (source: ImageSource, given: object, context: CoreContext) =>
        (await registered(({ key }) => thumbnailsOf(key, context))(source, given, context)) ?? [],
    },
    variants: { type: listOf(ImageVariant), resolve: () => [] },
  }),
};

/** An image where it is used, with its registered facts. */
export const Image = derivedTypes.object(elementSchema("images"));

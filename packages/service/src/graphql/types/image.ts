import {
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import type { ImageRow } from "../../storage/collections/images.ts";
import { type ImageFilter, imageByResourceIdentifier, listImages } from "../../storage/queries/images.ts";
import type { CoreContext } from "../context.ts";
import { listOf } from "../derive/list-of.ts";
import { stored } from "../derive/output-types.ts";
import { elementSchema } from "../derive/payload-parts.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { outcomeField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { outcome } from "./errors.ts";

/** A use of an image, or the registered image itself: what is known of it is looked up by its key. */
interface ImageSource {
  key: string;
  mimeType?: string | null;
}

const text = new GraphQLNonNull(GraphQLString);

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

const registered =
  <Value>(read: (image: ImageRow, context: CoreContext) => Value) =>
  async ({ key }: ImageSource, _: object, context: CoreContext) => {
    const image = await context.loaders.image(key);
    return image && read(image, context);
  };

stored.extend("Image", () => ({
  url: {
    type: GraphQLString,
    description:
      "Where it is served; null when no image is registered under the key. So are the fields below.",
    resolve: registered(({ key }, { services }) => services.imageUrl(key)),
  },
  width: {
    type: GraphQLInt,
    description: "In pixels; null also of a drawing (SVG) that does not say it.",
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
  variants: { type: listOf(ImageVariant), resolve: () => [] },
}));

/** An image where it is used, with what is registered of it. */
export const Image = stored.object(elementSchema("images"));

/** The registered image with this key. Rejects with `ImageNotFoundError`. */
export async function readImage({ loaders }: CoreContext, key: string): Promise<ImageRow> {
  const image = await loaders.image(key);
  return image ?? reject("ImageNotFoundError", `No image is registered under the key "${key}"`, ["key"]);
}

async function imageNamed({ services, tenant }: CoreContext, identifier: string): Promise<ImageRow> {
  const image = await imageByResourceIdentifier(services.database, tenant.id, identifier);
  const message = `No image has the resource identifier "${identifier}"`;
  return image ?? reject("ImageNotFoundError", message, ["resourceIdentifier"]);
}

const ImageListFilter = new GraphQLInputObjectType({
  name: "ImageListFilter",
  description: "What is given must all hold.",
  fields: {
    mimeType: { type: GraphQLString, description: "Such as `image/png`." },
    resourceIdentifiers: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
  },
});

export const imageQueries = {
  image: outcomeField<{ key?: string | null; resourceIdentifier?: string | null }>({
    type: outcome("ImageResult", [Image]),
    description: "A registered image, by its key or by its resource identifier.",
    args: { key: { type: GraphQLString }, resourceIdentifier: { type: GraphQLString } },
    resolve: async ({ key, resourceIdentifier }, context) => {
      if (key) return readImage(context, key);
      if (resourceIdentifier) return imageNamed(context, resourceIdentifier);
      return reject("ValidationError", 'Give "key" or "resourceIdentifier", to say which image is meant');
    },
  }),
  images: outcomeField<PageArguments & { filter?: ImageFilter | null }>({
    type: outcome("ImagesResult", [connection(Image)]),
    description: "The tenant's registered images in the order of their keys.",
    args: { filter: { type: ImageListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listImages(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};

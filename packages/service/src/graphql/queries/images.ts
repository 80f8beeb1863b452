import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { ImageRow } from "../../storage/collections/images.ts";
import { type ImageFilter, imageByResourceIdentifier, listImages } from "../../storage/queries/images.ts";
import { findPictures, pictureLimits } from "../../tasks/pictures.ts";
import type { CoreContext } from "../context.ts";
import { filterType } from "../derive/input-types.ts";
import { listOf, text } from "../derive/non-null.ts";
import { plainField, resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { Image } from "../types/image.ts";
import { resultUnion } from "../types/result-union.ts";

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

const ImageListFilter = filterType("ImageListFilter", {
  mimeType: { type: GraphQLString, description: "Such as `image/png`." },
  resourceIdentifiers: { type: new GraphQLList(text) },
});

const StoredPicture = new GraphQLObjectType({
  name: "StoredPicture",
  description: "A file of the tenant's media store, by its content.",
  fields: { sha256: { type: text }, key: { type: text } },
});

export const imageQueries = {
  storedPictures: plainField<{ sha256: string[] }>({
    type: listOf(StoredPicture),
    description:
      "The images and pictures among these that the tenant has already, one of each, in any order. For admins.",
    args: {
      sha256: {
        type: new GraphQLNonNull(new GraphQLList(text)),
        description: `SHA-256 in lower-case hexadecimal digits; at most ${pictureLimits.digests.toLocaleString("en")}.`,
      },
    },
    right: "readPictures",
    resolve: async ({ sha256 }, { services, tenant }) => findPictures(services, tenant.id, sha256),
  }),
  image: resultField<{ key?: string | null; resourceIdentifier?: string | null }>({
    type: resultUnion("ImageResult", [Image]),
    description: "A registered image, by its key or by its resource identifier.",
    args: { key: { type: GraphQLString }, resourceIdentifier: { type: GraphQLString } },
    resolve: async ({ key, resourceIdentifier }, context) => {
      if (key) return readImage(context, key);
      if (resourceIdentifier) return imageNamed(context, resourceIdentifier);
      return reject("ValidationError", 'Give "key" or "resourceIdentifier" to identify the image');
    },
  }),
  images: resultField<PageArguments & { filter?: ImageFilter | null }>({
    type: resultUnion("ImagesResult", [connection(Image)]),
    description: "The tenant's registered images, ordered by key.",
    args: { filter: { type: ImageListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listImages(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};

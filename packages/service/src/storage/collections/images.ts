import { defineCollection } from "../unit-of-work/collection.ts";

/** A stored image; its bytes never change. */
export interface ImageFacts {
  key: string;
  /** One of those in media/image-types.ts. */
  mimeType: string;
  /** In pixels; null for a drawing (SVG) without a size. */
  width: number | null;
  height: number | null;
  /** In bytes. */
  size: number;
  /** SHA-256 of its bytes, in hexadecimal; null if it was not computed. */
  sha256: string | null;
}

export interface ImageRow extends ImageFacts {
  resourceIdentifier: string | null;
  createdAt: string;
  updatedAt: string;
}

export const images = defineCollection<ImageRow>()({
  table: "images",
  columns: {
    key: "text",
    resourceIdentifier: "text",
    mimeType: "text",
    width: "int",
    height: "int",
    size: "bigint",
    sha256: "text",
    createdAt: "timestamptz",
    updatedAt: "timestamptz",
  },
  key: ["key"],
  indexes: { resourceIdentifier: ["resourceIdentifier"], sha256: ["sha256"] },
  unique: ["resourceIdentifier"],
  internal: ["sha256"],
});

/** A version of an item, as operations write and publish it. */
export interface ItemVersion {
  readonly itemId: string;
  readonly language: string;
}

/**
 * The `_ref` of the operation that writes a version. The parts of a language's code are never empty, so that `no-nb`
 * and `no_nb` get names of their own.
 */
export const versionName = ({ itemId, language }: ItemVersion): string =>
  `${language.replaceAll("_", "__").replaceAll("-", "_")}_${itemId}`;

/** The template of the item's id in the result of the operation with this `_ref`: it fails if that has failed. */
export const writtenId = (ref: string): string => `{{ ${ref}.id }}`;

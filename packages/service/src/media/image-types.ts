export const imageTypes = {
  gif: { mimeType: "image/gif", extension: "gif", inline: true },
  png: { mimeType: "image/png", extension: "png", inline: true },
  jpg: { mimeType: "image/jpeg", extension: "jpg", inline: true },
  webp: { mimeType: "image/webp", extension: "webp", inline: true },
  avif: { mimeType: "image/avif", extension: "avif", inline: true },
  // A drawing may contain scripts: browsers must download rather than open it.
  svg: { mimeType: "image/svg+xml", extension: "svg", inline: false },
} as const satisfies Record<string, { mimeType: string; extension: string; inline: boolean }>;

export type ImageType = keyof typeof imageTypes;

/** Leading bytes read for an image's header: enough for the metadata cameras put before it. */
export const headerBytes = 512 * 1024;

/** `GIF, PNG, …`, for messages. */
export const imageTypeNames = "GIF, PNG, JPEG, WebP, AVIF and SVG";

export interface Size {
  width: number;
  height: number;
  /** As in Exif: from 5 on, the image is displayed rotated by 90 degrees. */
  orientation?: number | undefined;
}

import type { Command } from "../../domain/command.ts";
import { prefetchImage, registerImage, requireFreeIdentifier } from "../../domain/image/register.ts";
import { requireLanguage } from "../../domain/settings/require.ts";
import { images } from "../../storage/collections/images.ts";

/**
 * Registers the object at a key of the store as an image. An image that is registered already stays unchanged, but
 * gets a resource identifier if it has none.
 */
export const command: Command<"image/register"> = {
  keys: ({ key, resourceIdentifier }, prefetch) => prefetchImage(key, resourceIdentifier, prefetch),
  async execute({ unit, tenant, media, now }, { key, language, resourceIdentifier }) {
    if (language !== undefined) requireLanguage(tenant, language);
    // Before the file is read.
    if (resourceIdentifier) await requireFreeIdentifier(unit, key, resourceIdentifier);
    const image = (await unit.get(images, key)) ?? (await media.image(key));
    const action = await registerImage({ unit, now }, image, resourceIdentifier);
    return { action, output: { id: key, key, language: language ?? tenant.settings.languages[0]?.code } };
  },
};

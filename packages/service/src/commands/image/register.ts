import type { Command } from "../../domain/command.ts";
import { registerImage, wantImage } from "../../domain/image/register.ts";
import { requireLanguage } from "../../domain/settings/require.ts";
import { images } from "../../storage/collections/images.ts";

/**
 * Registers what is stored under a key as an image. One that is registered already is left as it is, but for a resource
 * identifier that it has not had so far.
 */
export const command: Command<"image/register"> = {
  keys: ({ key, resourceIdentifier }, want) => wantImage(key, resourceIdentifier, want),
  async execute({ unit, tenant, media, now }, { key, language, resourceIdentifier }) {
    if (language !== undefined) requireLanguage(tenant, language);
    const image = (await unit.get(images, key)) ?? (await media.image(key));
    const action = await registerImage({ unit, now }, image, resourceIdentifier);
    return { action, output: { id: key, key, language: language ?? tenant.settings.languages[0]?.code } };
  },
};

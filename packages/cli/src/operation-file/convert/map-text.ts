import { suggestion } from "@lading/schema";
import { type Preset, presetMap, presets } from "@lading/transform/presets";
import { type Context, confirm, line } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { readText, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import type { CommonFlags } from "../../options.ts";

/** Which map: that of a file, or a preset. */
export interface MapFlags extends CommonFlags {
  map?: string;
  preset?: string;
  writeMap?: string;
  force?: boolean;
}

interface MapText {
  /** The map's name in messages. */
  readonly name: string;
  readonly text: string;
  readonly preset?: Preset;
}

/** Reads the map of a file or a preset. @throws CliError when there is none */
export async function mapText({ map, preset }: MapFlags): Promise<MapText> {
  if (map !== undefined && preset !== undefined)
    throw new CliError("give --map or --preset, not both; --write-map writes a preset's map, to change it");
  if (preset !== undefined) {
    const found = presetOf(preset);
    return { name: `preset ${preset}`, text: await presetMap(found), preset: found };
  }
  if (map === undefined)
    throw new CliError("name a map: --map FILE, or --preset NAME (--preset help lists them)");
  const text = await readText(map);
  if (text === undefined) throw new CliError(`there is no file ${map}`);
  return { name: map, text };
}

function presetOf(name: string): Preset {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset === undefined)
    throw new CliError(`there is no preset ${name}; ${suggestion(name, Object.keys(presets))}`);
  return preset;
}

export function listPresets({ stdout }: Context): void {
  const width = Math.max(...Object.keys(presets).map(({ length }) => length));
  for (const [name, { about }] of Object.entries(presets)) line(stdout, `${name.padEnd(width)}  ${about}`);
}

/** Writes a preset's map to a file, as the beginning of one's own. */
export async function writeMap(context: Context, file: string, flags: MapFlags): Promise<void> {
  if (flags.preset === undefined)
    throw new CliError("--write-map writes the map of a preset: add --preset NAME");
  const { text } = await mapText(flags);
  await refuseToReplace(context, file, flags);
  await writeWhole(file, text);
  confirm(context, `${file} is the map of the preset ${flags.preset}; convert with --map ${file}`);
}

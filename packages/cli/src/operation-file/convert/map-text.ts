import { resolve } from "node:path";
import { suggestion } from "@lading/schema/internal";
import { DataError, documentOf, type Encoding, type Format } from "@lading/transform";
import {
  type ModelPreset,
  modelPresets,
  type Preset,
  presetMap,
  presets,
  writtenMap,
} from "@lading/transform/presets";
import { type Context, confirm, line, note } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { readText, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import type { CommonFlags } from "../../options.ts";
import { dataOf } from "./data.ts";

/** Which map: that of a file, or a preset. */
export interface MapFlags extends CommonFlags {
  map?: string;
  preset?: string;
  writeMap?: string;
  force?: boolean;
  readonly encoding: Encoding;
}

interface MapText {
  /** The map's name in messages. */
  readonly name: string;
  readonly text: string;
  /** Settings by which the preset reads its export. */
  readonly preset?: { readonly format: Format; readonly path?: string };
}

/**
 * Reads the map of a file or a preset. Of a preset that makes it of the export, what it leaves out is printed.
 *
 * @param data the export
 * @throws CliError when there is no map, DataError when the export is not that of the preset
 */
export async function mapText(
  context: Context,
  data: string | undefined,
  { map, preset, encoding }: MapFlags,
): Promise<MapText> {
  if (map !== undefined && preset !== undefined)
    throw new CliError("give --map or --preset, not both; --write-map writes a preset's map, to change it");
  if (preset !== undefined) {
    const name = `preset ${preset}`;
    const ofModel = Object.hasOwn(modelPresets, preset) ? modelPresets[preset] : undefined;
    if (ofModel !== undefined)
      return { name, text: await madeMap(context, data, ofModel, encoding), preset: ofModel };
    const found = presetOf(preset);
    return { name, text: await presetMap(found), preset: found };
  }
  if (map === undefined)
    throw new CliError("name a map: --map FILE, or --preset NAME (--preset help lists them)");
  const text = await readText(map);
  if (text === undefined) throw new CliError(`there is no file ${map}`);
  return { name: map, text };
}

async function madeMap(
  context: Context,
  data: string | undefined,
  { load }: ModelPreset,
  encoding: Encoding,
): Promise<string> {
  if (data === undefined) throw new CliError("name the export: the preset makes its map of it");
  if (data === "-") throw new CliError("name the export's file: the preset reads it twice");
  const make = await load();
  try {
    const { map, notes } = make(await documentOf(dataOf(context, data), encoding));
    for (const text of notes) note(context, text);
    return writtenMap(map);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new CliError(`${data}: ${error.message}`, exitCode.invalidFile);
  }
}

const all = { ...presets, ...modelPresets };

function presetOf(name: string): Preset {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (preset === undefined)
    throw new CliError(`there is no preset ${name}; ${suggestion(name, Object.keys(all))}`);
  return preset;
}

export function listPresets({ stdout }: Context): void {
  const width = Math.max(...Object.keys(all).map(({ length }) => length));
  for (const [name, { about }] of Object.entries(all)) line(stdout, `${name.padEnd(width)}  ${about}`);
}

/** @throws CliError when the file may not be written: it exists, or is one of the inputs, even with --force */
export async function refuseFile(
  context: Context,
  inputs: readonly string[],
  file: string,
  flags: MapFlags,
): Promise<void> {
  if (inputs.some((input) => resolve(input) === resolve(file)))
    throw new CliError(`${file} is read by this command; name another file to write`);
  await refuseToReplace(context, file, flags);
}

/** Writes a preset's map to a file, as the beginning of one's own. */
export async function writeMap(
  context: Context,
  data: string | undefined,
  file: string,
  flags: MapFlags,
): Promise<void> {
  if (flags.preset === undefined)
    throw new CliError("--write-map writes the map of a preset: add --preset NAME");
  const { text, preset: { format, path } = { format: "csv" } } = await mapText(context, data, flags);
  await refuseFile(context, data === undefined ? [] : [data], file, flags);
  await writeWhole(file, text);
  confirm(
    context,
    `${file} is the map of the preset ${flags.preset}; convert with ${path === undefined ? "" : `--format ${format} --path ${path} `}--map ${file}`,
  );
}

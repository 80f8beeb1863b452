import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { cleanEnvironment, lading, type Outcome } from "../support/lading.ts";

/** A map that needs the columns `id` and `name`. */
export const customers = {
  operations: [
    { intent: "customer/upsert", identifier: "[[id]]", firstName: "[[name]]", type: "individual" },
  ],
};

/** Converts a table in a folder of its own, to standard output unless a file is named. */
export async function convert(
  table: string | Uint8Array,
  map: unknown = customers,
  { name = "table.csv", args = [] as string[] } = {},
): Promise<Outcome & { folder: string; operations: Record<string, unknown>[] }> {
  const folder = await cleanEnvironment();
  const mapFile = join(folder, "map.json");
  await writeFile(mapFile, typeof map === "string" ? map : JSON.stringify(map, null, 2));
  const bytes = typeof table === "string" ? Buffer.from(table) : Buffer.from(table);
  if (name !== "-") await writeFile(join(folder, name), bytes);
  const io = { stdin: Readable.from([bytes]) };
  const data = name === "-" ? name : join(folder, name);
  const outcome = await lading(
    ["convert", data, "--map", mapFile, ...args.map((arg) => arg.replace("$folder", folder))],
    io,
  );
  const short = (text: string) => text.replaceAll(`${folder}/`, "");
  return {
    ...outcome,
    stdout: short(outcome.stdout),
    stderr: short(outcome.stderr),
    folder,
    operations: outcome.code === 0 && outcome.stdout !== "" ? operationsIn(outcome.stdout) : [],
  };
}

const operationsIn = (text: string): Record<string, unknown>[] => JSON.parse(text).operations;

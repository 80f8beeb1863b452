import { delimiters, encodings, formats } from "@lading/transform/internal/choices";
import { Command, Option } from "commander";
import type { Context } from "../context.ts";
import type { ConvertFlags } from "../operation-file/convert/run.ts";
import { repeatable, withAll, withCommon, withDetails, withExamples } from "../options.ts";

/** `lading convert [data] --map <map> [file]`: makes a mass operation file from a table. */
export function command(context: Context): Command {
  const converting = new Command("convert")
    .description("Converts a table (CSV, NDJSON, JSON or XLSX) to a mass operation file, using a map.")
    .argument("[data]", "the table; gzip is decompressed, - is standard input")
    .argument("[file]", "the file to write (default: standard output)")
    .option("--map <map>", "the map: how rows become operations")
    .option("--preset <name>", "a map for the export of another system; help lists them")
    .option("--write-map <file>", "write the preset's map to a file, to change it, and convert nothing")
    .addOption(repeatable("--table <name=file>", "a further table that the map looks up cells in"))
    .addOption(
      new Option("--format <format>", "the table's format (default: by the file's name, else csv)").choices(
        formats,
      ),
    )
    .addOption(
      new Option("--delimiter <delimiter>", "the CSV delimiter (default: detected from the header)").choices(
        Object.keys(delimiters),
      ),
    )
    .addOption(
      new Option("--encoding <encoding>", "the encoding of the tables").choices(encodings).default("utf-8"),
    )
    .option(
      "--path <path>",
      "where the list of rows is in a JSON document, such as data.items (default: the document itself)",
    )
    .option("--sheet <name>", "the sheet of a workbook (default: the only one with cells)")
    .option("--all-cells", "of an exported table take every filled cell, not only those that were edited")
    .option("--force", "replace the file if it exists")
    .action(async (data: string | undefined, file: string | undefined, flags: ConvertFlags) => {
      const { convertTable } = await import("../operation-file/convert/run.ts");
      await convertTable(context, data, file, flags);
    });
  return withExamples(
    withDetails(withCommon(withAll(converting)), details),
    "lading convert products.csv --map products-map.json products.json",
    "lading convert export.csv --map map.json --encoding windows-1252 --delimiter ';' shop.json --force",
    "lading convert prices.csv --map map.json --table stock=stock.tsv prices.json",
    "lading convert products_export.csv --preset shopify-products shop.json",
    "lading convert --preset shopify-products --write-map my-map.json",
    "lading convert contentful-export.json --preset contentful site.json",
    "gunzip -c stock.ndjson.gz | lading convert - --format ndjson --map stock-map.json > stock.json",
  );
}

const details = `Exit codes: 0 the file is written, 1 usage error, 2 the map or the table has errors: no file is written, and
standard output is incomplete. docs/convert.md explains maps.`;

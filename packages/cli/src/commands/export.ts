import { exportKinds } from "@lading/schema/internal/export-kinds";
import { Argument, Command, Option } from "commander";
import type { Context } from "../context.ts";
import { type ExportFlags, exportFormats, exportSheet } from "../export/run.ts";
import { repeatable, withDetails, withExamples, withToken } from "../options.ts";

/** `lading export <tenant> <kind> [file]`: a table of a tenant's data to edit, with its map. */
export function command(context: Context): Command {
  const exporting = new Command("export")
    .description("Writes a tenant's data as a table to edit, and the map that converts the edited table.")
    .argument("<tenant>", "the tenant's identifier")
    .addArgument(new Argument("<kind>", "what the rows are").choices(exportKinds))
    .argument("[file]", "the file to write: .csv, .ndjson or .xlsx (default: standard output)")
    .option(
      "--columns <columns>",
      "names of columns, separated by commas; help lists them (default: those that help marks)",
    )
    .addOption(repeatable("--where <condition>", "only rows that meet the condition"))
    .option("--shape <identifier>", "the shape whose components are columns; content needs it")
    .option("--language <code>", "the language of names and content (default: the tenant's first)")
    .option("--publish", "publish what the edited table changes")
    .addOption(
      new Option("--decimal <mark>", "the decimal mark in a CSV file (default: .)").choices([".", ","]),
    )
    .option("--bom", "begin a CSV file with the mark by which Excel knows UTF-8")
    .option("--map <map>", "export the columns of this map, and write no new map")
    .addOption(
      new Option("--format <format>", "the format (default: by the file's name, else csv)").choices(
        exportFormats,
      ),
    )
    .option("--force", "replace the files if they exist")
    .action((tenant: string, kind: string, file: string | undefined, flags: ExportFlags) =>
      exportSheet(context, { tenant, kind, file }, flags),
    );
  return withExamples(
    withDetails(withToken(exporting), details),
    "lading export acme variants stock.csv --columns name,price.default,stock.berlin --where 'stock.berlin < 5'",
    "lading export acme content articles.xlsx --shape article --language en",
    "lading export acme variants --columns help",
    "lading export acme customers --format ndjson | wc -l",
  );
}

const details = `Writes the map next to the table: stock.map.json for stock.csv. Customers, orders and price lists need an admin's
token, and orders have no map. docs/spreadsheet.md has a whole session, and the conditions.`;

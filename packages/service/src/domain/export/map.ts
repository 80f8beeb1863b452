import { oneOf } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type Column, cellOf, type Sheet, type Template } from "./sheet.ts";
import { marksColumn, updatedColumn } from "./text.ts";

/** The conversion map that makes operations of the edited cells of a table with these columns. */
export function mapOf<Row>(
  sheet: Sheet<Row>,
  columns: readonly Column<Row>[],
  { publish, decimal }: { publish: boolean; decimal: "." | "," },
): object {
  const exported = columns.filter(({ isKey }) => !isKey).map(({ name }) => name);
  const timed = sheet.isTimed && { _ifUnchangedSince: cellOf(updatedColumn) };
  const written = columns.filter(({ write }) => write !== undefined);
  const operations: Template[] = [];
  const fields = written.flatMap(({ name, write }) =>
    write !== undefined && "field" in write ? [{ name, field: write.field }] : [],
  );
  if (fields.length > 0)
    operations.push({
      ...sheet.operation,
      ...Object.fromEntries(fields.map(({ name, field }) => [field, cellOf(name)])),
      ...timed,
      $edited: fields.map(({ name }) => name),
    });
  for (const { name, write } of written)
    if (write !== undefined && "operation" in write)
      operations.push({ ...write.operation(cellOf(name)), ...timed, $edited: name });
  if (operations.length === 0) refuseReadOnly(sheet);
  if (publish) operations.push({ ...sheet.publish, ...timed, $edited: written.map(({ name }) => name) });
  return {
    columns: Object.fromEntries(columns.map((column) => [column.name, settingsOf(column, decimal)])),
    exported: { column: marksColumn, of: exported },
    operations,
  };
}

const settingsOf = <Row>({ type, isKey, write, clears }: Column<Row>, decimal: "." | ","): object => ({
  type,
  ...(type === "number" && decimal === "," && { decimal }),
  ...((isKey || write !== undefined) && { empty: clears ? "null" : "refuse" }),
});

function refuseReadOnly<Row>({ columns }: Sheet<Row>): never {
  const names = columns.filter(({ write }) => write !== undefined).map(({ name }) => name);
  const why =
    names.length === 0
      ? "no operation can write this kind back: it is read-only"
      : `nothing writes the chosen columns back; choose ${oneOf(names)}, too`;
  return reject("ValidationError", `There is no map: ${why}`);
}

import type { ExportColumn } from "@lading/schema/internal/export-kinds";
import { useState } from "react";
import { useTenant } from "../../api/session.ts";
import { decimalMark } from "../../ui/format.ts";
import { buttonClass } from "../../ui/input/button.tsx";
import { Check, Choice } from "../../ui/input/field.tsx";
import styles from "./export.module.css";
import { type Exported, exportAddress } from "./exported.ts";

const formats = ["CSV", "NDJSON"] as const;

interface DownloadProps {
  exported: Exported;
  columns: readonly ExportColumn[];
  /** Called with names, separated by commas. */
  onColumns: (names: string) => void;
}

/** Downloads a table, and the map that makes operations of its edited cells. */
export function Download({ exported, columns, onColumns }: DownloadProps) {
  const tenant = useTenant();
  const [format, setFormat] = useState<(typeof formats)[number]>();
  const form: Record<string, string> =
    format === undefined
      ? { format: "csv", bom: "true", ...(decimalMark === "," && { decimal: "," }) }
      : { format: format.toLowerCase() };
  const chosen = columns.filter(({ isKey }) => !isKey).filter(isChosen(exported.columns));
  const hasMap = chosen.some(({ isReadOnly }) => !isReadOnly);
  return (
    <section className={styles.part} aria-labelledby="download">
      <h2 id="download">Download</h2>
      <fieldset className={styles.columns}>
        <legend>Columns (key columns are always included)</legend>
        {columns
          .filter(({ isKey }) => !isKey)
          .map((column) => (
            <Check
              key={column.name}
              checked={chosen.includes(column)}
              note={`${column.about}${column.isReadOnly ? "; read-only" : ""}`}
              onChange={({ target }) =>
                onColumns(
                  columns
                    .filter((each) => (each === column ? target.checked : chosen.includes(each)))
                    .map(({ name }) => name)
                    .join(),
                )
              }
            >
              {column.name}
            </Check>
          ))}
      </fieldset>
      <div className={styles.actions}>
        <Choice label="Format" none="CSV for Excel" value={format} options={formats} onChange={setFormat} />
        <a className={buttonClass("primary")} href={exportAddress(tenant, exported, form)} download>
          Download the table
        </a>
        {hasMap ? (
          <a
            className={buttonClass()}
            href={exportAddress(tenant, exported, { ...form, format: "map" })}
            download={`${tenant}-${exported.kind}.map.json`}
          >
            Download its map
          </a>
        ) : (
          <span className={styles.reason}>Read-only: no map brings these columns back.</span>
        )}
      </div>
      {hasMap && (
        <p className={styles.reason}>
          Edit the table, and drop it with its map in Run: only the cells that you edited become operations.
        </p>
      )}
    </section>
  );
}

function isChosen(names: string | undefined): (column: ExportColumn) => boolean {
  const listed = names?.split(",");
  return ({ name, isDefault }) => listed?.includes(name) ?? isDefault;
}

import { delimiters, encodings } from "@lading/transform/internal/choices";
import { presets } from "@lading/transform/presets";
import { Check, Choice } from "../../../ui/input/field.tsx";
import { FileButton } from "../file-button.tsx";
import runStyles from "../run.module.css";
import type { ConversionReport } from "../worker/jobs.ts";
import { tableEndings } from "./recognize.ts";
import type { Chosen } from "./use-conversion.ts";

/** The choices of a conversion: the map, and what cannot be recognized of the table. */
export function Choices({
  chosen,
  report,
  onChoose,
  onPreset,
  onFiles,
}: {
  chosen: Chosen;
  report: ConversionReport | undefined;
  onChoose: (change: Partial<Chosen>) => void;
  onPreset: (name: string) => void;
  onFiles: (files: readonly File[]) => void;
}) {
  const { map, lookups, encoding, delimiter } = chosen;
  const sheets = chosen.sheets ?? report?.sheets;
  const isOwn = map !== undefined && !presetNames.includes(map.name);
  return (
    <>
      <Choice
        label="Map"
        none="none"
        value={map?.name}
        options={[...presetNames, ...(isOwn ? [map.name] : [])]}
        onChange={(name) => name !== undefined && onPreset(name)}
      />
      <FileButton label="Map file" accept=".json,application/json" onFiles={onFiles}>
        {isOwn ? "Another map …" : "Choose a map …"}
      </FileButton>
      {report?.map?.tables.map((name) => (
        <span key={name} className={runStyles.option}>
          <FileButton
            label={`Table ${name}`}
            accept={tableEndings}
            onFiles={([file]) => file && onChoose({ lookups: { ...lookups, [name]: file } })}
          >
            Table “{name}” …
          </FileButton>
          {lookups[name] !== undefined && <code>{lookups[name].name}</code>}
        </span>
      ))}
      {report?.map?.isOfExport && (
        <Check
          checked={chosen.allCells ?? false}
          note="Writes every filled cell, also those that nobody edited since the export."
          onChange={({ target }) => onChoose({ allCells: target.checked })}
        >
          All cells
        </Check>
      )}
      {needsEncoding(chosen, report) && (
        <Choice
          label="Encoding"
          none="UTF-8"
          value={encoding ?? report?.table?.encoding}
          options={choosableEncodings}
          onChange={(encoding) => onChoose({ encoding: encoding ?? "utf-8" })}
        />
      )}
      {sheets !== undefined && (
        <Choice
          label="Sheet"
          none="choose"
          value={chosen.sheet}
          options={sheets}
          onChange={(sheet) => onChoose({ sheet, sheets })}
        />
      )}
      {needsDelimiter(chosen, report) && (
        <Choice
          label="Delimiter"
          none="recognized"
          value={delimiter}
          options={delimiterNames}
          onChange={(delimiter) => onChoose({ delimiter })}
        />
      )}
    </>
  );
}

const presetNames = Object.keys(presets);

/** UTF-8 is the choice of none, and latin1 another name of windows-1252. */
const choosableEncodings = encodings.filter((name) => name !== "utf-8" && name !== "latin1");
const delimiterNames = Object.keys(delimiters) as (keyof typeof delimiters)[];

const needsEncoding = ({ encoding }: Chosen, report: ConversionReport | undefined) =>
  encoding !== undefined ||
  (report?.table !== undefined && report.table.encoding !== "utf-8") ||
  report?.issues.some(({ code }) => code === "InvalidEncoding" || code === "NulCharacter");

const needsDelimiter = ({ delimiter }: Chosen, report: ConversionReport | undefined) =>
  delimiter !== undefined ||
  (report?.table?.columns.length === 1 && report.table.format === "csv") ||
  report?.issues.some(({ code }) => code === "RaggedRow");

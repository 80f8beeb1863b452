import { presets } from "@lading/transform/presets";
import { useId } from "react";
import { ErrorNote } from "../../../ui/feedback/feedback.tsx";
import { countOf, percentText } from "../../../ui/format.ts";
import { Button } from "../../../ui/input/button.tsx";
import { State } from "../../../ui/values/state.tsx";
import runStyles from "../run.module.css";
import type { ConversionReport } from "../worker/jobs.ts";
import { Choices } from "./choices.tsx";
import styles from "./convert.module.css";
import { Issues } from "./issues.tsx";
import { Preview } from "./preview.tsx";
import { type Chosen, type Conversion, useConversion } from "./use-conversion.ts";

/** Converts a table to operations, which become the file on the page. */
export function ConvertStep({
  chosen,
  onChoose,
  onPreset,
  onFiles,
  onOpen,
  onClose,
}: {
  chosen: Chosen;
  onChoose: (change: Partial<Chosen>) => void;
  onPreset: (name: string) => void;
  onFiles: (files: readonly File[]) => void;
  onOpen: (json: Blob) => void;
  onClose: () => void;
}) {
  const conversion = useConversion(chosen);
  const { report, error, read } = conversion;
  const about = chosen.map && presets[chosen.map.name]?.about;
  const id = useId();
  // After an error, the report is of another choice.
  const current = error === undefined ? report : undefined;
  const json = read === undefined ? current?.json : undefined;
  const missing = current && missingOf(chosen, current);
  return (
    <>
      <div className={runStyles.start}>
        <Choices chosen={chosen} report={report} onChoose={onChoose} onPreset={onPreset} onFiles={onFiles} />
        <div className={runStyles.actions}>
          <span id={id} className={runStyles.reason} role="status">
            <Progress conversion={conversion} missing={missing} />
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            disabled={json === undefined || current?.counts.operations === 0}
            aria-describedby={id}
            onClick={() => json && onOpen(json)}
          >
            Open as operations
          </Button>
        </div>
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={conversion.retry} />}
      {about !== undefined && <p className={runStyles.note}>{about}.</p>}
      {missing !== undefined && <p className={runStyles.note}>{missing}</p>}
      {current !== undefined && (
        <div className={styles.parts}>
          <Preview report={current} />
          <section className={runStyles.checks} aria-label="Conversion">
            <Summary report={current} />
            <Issues report={current} />
          </section>
        </div>
      )}
    </>
  );
}

/** The next choice before the table can be converted; undefined if there is none. */
function missingOf({ table, map, lookups }: Chosen, report: ConversionReport): string | undefined {
  if (table === undefined) return `Choose the table that ${map?.name ?? "the map"} converts.`;
  if (report.sheets !== undefined) return "The workbook has several sheets with cells. Choose one.";
  if (map === undefined)
    return report.table?.columns.includes("_exported")
      ? "This sheet was exported. Choose its map: the file .map.json that was written with it."
      : "Choose what its rows become: a preset for the export of another system, or a map, a JSON file of your own.";
  const names = (report.map?.tables ?? []).filter((name) => !Object.hasOwn(lookups, name));
  return names.length === 0
    ? undefined
    : `The map looks cells up in further tables. Choose ${names.map((name) => `“${name}”`).join(", ")}.`;
}

function Progress({
  conversion: { report, read, error },
  missing,
}: {
  conversion: Conversion;
  missing: string | undefined;
}) {
  if (read !== undefined) return <>Converting … {read > 0 && percentText(Math.min(1, read), 1)}</>;
  if (report === undefined || error !== undefined || missing !== undefined) return null;
  if (report.problems.length > 0) return "The map does not fit.";
  if (report.errorCount > 0) return `Fix ${countOf(report.errorCount, "error")} first.`;
  return report.counts.operations === 0 ? "No row becomes an operation." : null;
}

function Summary({
  report: { counts, map, idle, errorCount, warningCount, json },
}: {
  report: ConversionReport;
}) {
  const { rows, leftOut, operations } = counts;
  if (json === undefined && errorCount === 0) return null;
  return (
    <div className={runStyles.summary} role="status">
      {json !== undefined && (
        <strong>
          {countOf(operations, "operation")} of {countOf(rows, "row")}
        </strong>
      )}
      {leftOut > 0 && <span>{countOf(leftOut, "row")} left out</span>}
      {json !== undefined && idle > 0 && (
        <span>
          {countOf(idle, map?.isOfExport ? "unedited row" : "row")}{" "}
          {map?.isOfExport ? "left out" : "without an operation"}
        </span>
      )}
      {errorCount > 0 && <State shape="failed">{countOf(errorCount, "error")}</State>}
      {warningCount > 0 && <State shape="warning">{countOf(warningCount, "warning")}</State>}
      {errorCount + warningCount === 0 && <State shape="done">no issues</State>}
    </div>
  );
}

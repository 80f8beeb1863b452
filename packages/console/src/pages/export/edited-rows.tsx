import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useOpenInRun } from "../../layout/dropped-file.ts";
import { useStay } from "../../layout/navigation.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { countOf, numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Check } from "../../ui/input/field.tsx";
import { HeadRow, WideTable } from "../../ui/table/plain-table.tsx";
import { Issues } from "../run/convert/issues.tsx";
import { inOwnWorker } from "../run/worker/client.ts";
import { keysOfLines } from "../run/worker/edit.ts";
import type { ConversionReport, EditReport } from "../run/worker/jobs.ts";
import type { Change } from "./change.ts";
import styles from "./export.module.css";
import type { Exported } from "./exported.ts";
import { mapFor, type SourceTable } from "./read-table.ts";

interface EditedRowsProps {
  source: SourceTable;
  readAt: number;
  column: string;
  keys: readonly string[];
  change: Change;
  exported: Exported;
}

/** The rows that a change edits, to be chosen from, and the operations that they become. */
export function EditedRows({ source, readAt, column, keys, change, exported }: EditedRowsProps) {
  const [chosen, setChosen] = useState<Chosen>({ all: true, except: [] });
  const { table, maxBytes } = source;
  const edit = useQuery({
    queryKey: ["edited", readAt, column, change, chosen],
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      inOwnWorker("edit", { table, column, keys, change, chosen, maxBytes }, { signal }),
  });
  const shown = edit.isPlaceholderData ? undefined : edit.data?.table;
  // Undefined once the page shows others.
  const latest = useRef<Blob>(undefined);
  useEffect(() => {
    latest.current = shown;
    return () => {
      latest.current = undefined;
    };
  }, [shown]);
  const openInRun = useOpenInRun();
  const stay = useStay();
  const making = useMutation({
    mutationFn: async (edited: Blob) => {
      const isHere = stay();
      const { signal } = new AbortController();
      const report = await inOwnWorker(
        "convert",
        {
          table: { file: edited, format: "ndjson", encoding: "utf-8" },
          ...{
            map: mapFor(source.map, change, exported.publish ?? false),
            allCells: false,
            lookups: {},
            maxBytes,
          },
        },
        { signal },
      );
      if (report.json !== undefined && isHere() && latest.current === edited)
        openInRun([new File([report.json], `${exported.kind}-${column}.json`)]);
      return withKeys(report, edited, keys, signal);
    },
  });
  const isMade = making.variables !== undefined && making.variables === shown;
  const { data: report } = edit;
  if (edit.error !== null) return <ErrorNote error={edit.error} />;
  if (report === undefined) return null;
  return (
    <>
      <div className={styles.actions}>
        <Button
          kind="primary"
          isBusy={isMade && making.isPending}
          disabled={report.edited === 0 || edit.isPlaceholderData}
          onClick={() => making.mutate(report.table)}
        >
          Make operations
        </Button>
        <span role="status">
          {numberText(report.edited)} of {countOf(report.rows, "row")}{" "}
          {change.do === "publish" ? "will be published" : "will change"}
        </span>
      </div>
      {isMade && making.error !== null && <ErrorNote error={making.error} />}
      {isMade && making.data !== undefined && <Issues report={making.data} />}
      {report.changing > 0 && <Rows report={report} chosen={chosen} onChoose={setChosen} />}
    </>
  );
}

/** Names the rows of issues by their keys: a reader does not see the lines of the edited table. */
async function withKeys(
  report: ConversionReport,
  edited: Blob,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<ConversionReport> {
  const last = Math.max(0, ...report.issues.map(({ line }) => line ?? 0));
  const found = await keysOfLines(edited, keys, last, signal);
  const named = report.issues.map((issue) => {
    const cell = issue.line === null ? undefined : found.get(issue.line);
    return { ...issue, ...(cell !== undefined && { cell }) };
  });
  return { ...report, issues: named };
}

/** All rows, or none, except those with some keys. */
interface Chosen {
  all: boolean;
  except: readonly string[];
}

interface RowsProps {
  report: EditReport;
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}

/** The first rows that a change would edit, with the values before and after. */
function Rows({ report: { first, changing }, chosen: { all, except }, onChoose }: RowsProps) {
  const toggle = (key: string) =>
    onChoose({
      all,
      except: except.includes(key) ? except.filter((other) => other !== key) : [...except, key],
    });
  const hidden = changing - first.length;
  return (
    <>
      <Check
        checked={all && except.length === 0}
        onChange={({ target }) => onChoose({ all: target.checked, except: [] })}
      >
        All rows
      </Check>
      <WideTable label="Changes">
        <HeadRow names={["Row", "Name", "Old", "New"]} />
        <tbody>
          {first.map(({ key, name, old, value }) => (
            <tr key={key}>
              <td>
                <Check checked={except.includes(key) !== all} onChange={() => toggle(key)}>
                  {key}
                </Check>
              </td>
              <td>{name}</td>
              <td>{old}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {hidden > 0 && (
        <p className={styles.reason}>
          and {countOf(hidden, "more row")}, {all ? "which will change, too" : "which stay as they are"}
        </p>
      )}
    </>
  );
}

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOpenInRun } from "../../layout/dropped-file.ts";
import { useStay } from "../../layout/navigation.ts";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { countOf, numberText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { Check } from "../../ui/input/field.tsx";
import { HeadRow, WideTable } from "../../ui/table/plain-table.tsx";
import { Issues } from "../run/convert/issues.tsx";
import { inOwnWorker } from "../run/worker/client.ts";
import type { EditReport } from "../run/worker/jobs.ts";
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
  const openInRun = useOpenInRun();
  const stay = useStay();
  const making = useMutation({
    mutationFn: async (edited: Blob) => {
      const isHere = stay();
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
        { signal: new AbortController().signal },
      );
      if (report.json !== undefined && isHere())
        openInRun([new File([report.json], `${exported.kind}-${column}.json`)]);
      return report;
    },
  });
  const { data: report } = edit;
  if (edit.error !== null) return <ErrorNote error={edit.error} />;
  if (report === undefined) return null;
  return (
    <>
      <div className={styles.actions}>
        <Button
          kind="primary"
          isBusy={making.isPending}
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
      {making.error !== null && <ErrorNote error={making.error} />}
      {making.data !== undefined && <Issues report={making.data} />}
      {report.changing > 0 && <Rows report={report} chosen={chosen} onChoose={setChosen} />}
    </>
  );
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

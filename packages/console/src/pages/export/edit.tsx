import type { ExportColumn } from "@lading/schema/internal/export-kinds";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTenant } from "../../api/session.ts";
import { ErrorNote, Skeleton } from "../../ui/feedback/feedback.tsx";
import { Choice, Field } from "../../ui/input/field.tsx";
import { readChange, type TypedChange } from "./change.ts";
import { EditedRows } from "./edited-rows.tsx";
import styles from "./export.module.css";
import { type Exported, isPublishable } from "./exported.ts";
import { type ColumnFacts, columnFacts, readTable } from "./read-table.ts";

interface BulkEditProps {
  exported: Exported;
  columns: readonly ExportColumn[];
}

const hint = "Choose a column to change in these rows. You see the changes before they become operations.";

/** Changes a column of the exported rows: what comes of it opens as operations in Run. */
export function BulkEdit({ exported, columns }: BulkEditProps) {
  const tenant = useTenant();
  const [column, setColumn] = useState<string>();
  const [given, setGiven] = useState<GivenChange>(untyped);
  const names = columns.filter(({ isKey, isReadOnly }) => !isKey && !isReadOnly).map(({ name }) => name);
  const hasName = column !== "name" && columns.some(({ name }) => name === "name");
  const asked = { ...exported, publish: true, columns: hasName ? `${column},name` : column };
  const table = useQuery({
    queryKey: ["edit", tenant, asked],
    enabled: column !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // A table can be large, and is old once the page is left.
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) => readTable(tenant, asked, signal),
  });
  const facts =
    column === undefined || table.data === undefined ? undefined : columnFacts(table.data.map, column);
  const typed = facts && { decimals: facts.decimals, ...given };
  const change = typed && readChange(facts.type, typed);
  return (
    <section className={styles.part} aria-labelledby="edit">
      <h2 id="edit">Edit in bulk</h2>
      {column === undefined && <p className="muted">{hint}</p>}
      <div className={styles.actions}>
        <Choice
          label="Column"
          none="choose …"
          value={column}
          options={names}
          onChange={(chosen) => {
            setColumn(chosen);
            setGiven(untyped);
          }}
        />
        {typed && (
          <ChangeFields
            facts={facts}
            typed={typed}
            canPublish={isPublishable(exported.kind)}
            onChange={(changed) => setGiven({ ...given, ...changed })}
          />
        )}
      </div>
      {table.error !== null && <ErrorNote error={table.error} onRetry={() => void table.refetch()} />}
      {table.isFetching && <Skeleton lines={3} />}
      {typeof change === "string" && <p className={styles.reason}>{change}</p>}
      {column !== undefined &&
        table.data !== undefined &&
        change !== undefined &&
        typeof change !== "string" && (
          <EditedRows
            // Rows are chosen anew for another table.
            key={table.dataUpdatedAt}
            source={table.data}
            readAt={table.dataUpdatedAt}
            column={column}
            keys={columns.filter(({ isKey }) => isKey).map(({ name }) => name)}
            change={change}
            exported={exported}
          />
        )}
    </section>
  );
}

/** A change as it is typed, maybe without decimal places: the column has a default. */
type GivenChange = Omit<TypedChange, "decimals"> & Partial<Pick<TypedChange, "decimals">>;

const untyped: GivenChange = { do: "set", text: "" };

const words: Readonly<Record<TypedChange["do"], string>> = {
  ...{ set: "set to", percent: "change by percent", amount: "change by an amount" },
  ...{ clear: "clear", publish: "only publish" },
};

interface ChangeFieldsProps {
  facts: ColumnFacts;
  typed: TypedChange;
  canPublish: boolean;
  onChange: (change: Partial<TypedChange>) => void;
}

function ChangeFields({ facts: { type, clears }, typed, canPublish, onChange }: ChangeFieldsProps) {
  const isByNumber = typed.do === "percent" || typed.do === "amount";
  const kinds = [
    ...(type === "number" ? (["percent", "amount"] as const) : []),
    ...(clears ? (["clear"] as const) : []),
    ...(canPublish ? (["publish"] as const) : []),
  ];
  return (
    <>
      <Choice
        label="Change"
        none={words.set}
        value={typed.do === "set" ? undefined : words[typed.do]}
        options={kinds.map((kind) => words[kind])}
        onChange={(word) => onChange({ do: kinds.find((kind) => words[kind] === word) ?? "set" })}
      />
      {(typed.do === "set" || isByNumber) && (
        <Field
          isInline
          label={typed.do === "percent" ? "Percent" : typed.do === "amount" ? "Amount" : "Value"}
          value={typed.text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      )}
      {isByNumber && (
        <Field
          isInline
          type="number"
          min={0}
          max={6}
          label="Decimal places"
          value={typed.decimals}
          onChange={({ target }) => onChange({ decimals: target.value })}
        />
      )}
    </>
  );
}

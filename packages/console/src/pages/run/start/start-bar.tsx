import { useId, useState } from "react";
import { useTenant } from "../../../api/session.ts";
import { ConfirmDialog } from "../../../ui/feedback/dialog.tsx";
import { bytesText, countOf } from "../../../ui/format.ts";
import { Button } from "../../../ui/input/button.tsx";
import styles from "../run.module.css";
import { numberOptions, type TypedOptions } from "./start-options.ts";
import type { Sending } from "./use-start.ts";

export function StartBar({
  mayRun,
  options,
  onOptions,
  reason,
  operations,
  onStart,
}: {
  mayRun: boolean;
  options: TypedOptions;
  onOptions: (options: TypedOptions) => void;
  reason: string | undefined;
  operations: number;
  onStart: (kind: "run" | "plan") => void;
}) {
  const tenant = useTenant();
  const [isAsking, setAsking] = useState(false);
  // The file has changed since the question was asked.
  if (isAsking && reason !== undefined) setAsking(false);
  const id = useId();
  const blocked = { disabled: reason !== undefined, "aria-describedby": id };
  return (
    <div className={styles.start}>
      <OptionFields options={options} onOptions={onOptions} />
      <div className={styles.actions}>
        <span id={id} className={styles.reason}>
          {reason}
        </span>
        <Button {...blocked} kind={mayRun ? undefined : "primary"} onClick={() => onStart("plan")}>
          Plan
        </Button>
        {mayRun && (
          <Button {...blocked} kind="primary" onClick={() => setAsking(true)}>
            Run …
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Run this file in ${tenant}?`}
          description={`${countOf(operations, "operation")} will be executed. Plan the file first to preview its changes.`}
          verb={`Run ${countOf(operations, "operation")}`}
          onClose={() => setAsking(false)}
          onConfirm={async () => onStart("run")}
        />
      )}
    </div>
  );
}

function OptionFields({
  options,
  onOptions,
}: {
  options: TypedOptions;
  onOptions: (options: TypedOptions) => void;
}) {
  return (
    <>
      <label className={styles.option} title="Every warning counts as an error.">
        <input
          type="checkbox"
          checked={options.strict}
          onChange={({ target }) => onOptions({ ...options, strict: target.checked })}
        />
        Strict
      </label>
      {numberOptions.map(({ name, label, unit, least }) => (
        <label key={name} className={styles.option}>
          {label}
          <input
            type="number"
            inputMode="numeric"
            placeholder="off"
            min={least}
            value={options[name]}
            onChange={({ target }) => onOptions({ ...options, [name]: target.value })}
          />
          {unit}
        </label>
      ))}
    </>
  );
}

/** A file's upload progress, and a button to cancel it. */
export function SendingBar({ sending, onCancel }: { sending: Sending; onCancel: () => void }) {
  const { kind, bytes, total } = sending;
  const isSent = bytes === total;
  return (
    <div className={styles.start} role="status">
      <progress value={bytes} max={total} aria-label="Sent" />
      <span className={styles.reason}>
        {isSent ? `Starting the ${kind} …` : `Sent ${bytesText(bytes)} of ${bytesText(total)}`}
      </span>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  );
}

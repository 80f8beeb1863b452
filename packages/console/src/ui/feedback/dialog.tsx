import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "../input/button.tsx";
import styles from "./dialog.module.css";
import { ErrorNote } from "./feedback.tsx";

/** A question before an action. It stays open, with the reason, when the action is refused. */
export interface Confirmation {
  title: string;
  /** The consequences, in a sentence or two. */
  description: ReactNode;
  /** The verb on the confirming button. */
  verb: string;
  isDestructive?: boolean;
  /** Why the action would do nothing, as a sentence: it cannot be confirmed then. */
  refusal?: string | undefined;
  /** Controls that change the action. */
  children?: ReactNode;
  /**
   * Runs as a mutation: once, however often the button is clicked. The signal aborts when the dialog is closed. Absent
   * where `refusal` says why there is nothing to run.
   */
  onConfirm?: (signal: AbortSignal) => Promise<unknown>;
}

/** Asks before an action. Escape and the close button change nothing. */
export function ConfirmDialog({
  title,
  description,
  verb,
  isDestructive = false,
  refusal,
  children,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const shown = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    shown.current = controller;
    return () => controller.abort();
  }, []);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => onConfirm?.(shown.current.signal),
  });
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description}>{description}</AlertDialog.Description>
          {children}
          {refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}
          {refusal === undefined && error !== null && <ErrorNote error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button>Close</Button>} />
            <Button
              kind={isDestructive ? "destructive" : "primary"}
              isBusy={isPending}
              disabled={refusal !== undefined}
              // Not as an option: once closed, it must not close another dialog.
              onClick={() => mutate(undefined, { onSuccess: onClose })}
            >
              {verb}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

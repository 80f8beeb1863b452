import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
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
  /** Controls that change the action. */
  children?: ReactNode;
  /** Runs as a mutation: once, however often the button is clicked. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before an action. Escape and the close button change nothing. */
export function ConfirmDialog({
  title,
  description,
  verb,
  isDestructive = false,
  children,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const { mutate, error, isPending } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description}>{description}</AlertDialog.Description>
          {children}
          {error !== null && <ErrorNote error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button>Close</Button>} />
            <Button
              kind={isDestructive ? "destructive" : "primary"}
              isBusy={isPending}
              onClick={() => mutate()}
            >
              {verb}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

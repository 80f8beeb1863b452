import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";
import { Button } from "../input/button.tsx";
import styles from "./dialog.module.css";
import { ErrorNote } from "./error-note.tsx";

/** A question before something is done. It stays open, with the reason, when that is refused. */
export interface Confirmation {
  title: string;
  /** The consequences, in a sentence or two. */
  description: ReactNode;
  /** The verb on the button that does it. */
  verb: string;
  isDestructive?: boolean;
  /** Controls that change what is done. */
  children?: ReactNode;
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done. Escape and the button that closes leave everything as it is. */
export function ConfirmDialog({
  title,
  description,
  verb,
  isDestructive = false,
  children,
  onConfirm,
  onClose,
}: Confirmation & { onClose: () => void }) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.description}>{description}</AlertDialog.Description>
          {children}
          {error !== undefined && <ErrorNote error={error} />}
          <div className={styles.actions}>
            <AlertDialog.Close render={<Button>Close</Button>} />
            <Button kind={isDestructive ? "destructive" : "primary"} isBusy={isBusy} onClick={confirm}>
              {verb}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

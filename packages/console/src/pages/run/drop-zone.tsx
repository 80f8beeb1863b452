import { type DragEvent, type ReactNode, useState } from "react";
import { Page } from "../../ui/page/page.tsx";
import styles from "./run.module.css";

/** A page that accepts a dropped file anywhere. */
export function DropZone({ onFile, children }: { onFile: (file: File) => void; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  // The editor would insert the file's text, so it must not see the event.
  const take = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const onDrop = (event: DragEvent) => {
    if (!take(event)) return;
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  const isWithin = ({ currentTarget, relatedTarget }: DragEvent) =>
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
  return (
    <Page
      isFlush
      className={styles.page}
      onDragOverCapture={(event) => take(event) && setOver(true)}
      onDragLeaveCapture={(event) => !isWithin(event) && setOver(false)}
      onDropCapture={onDrop}
    >
      {children}
      {isOver && <div className={styles.over}>Drop the file to open it</div>}
    </Page>
  );
}

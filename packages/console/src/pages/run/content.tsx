import { lazy, type Ref, Suspense } from "react";
import { Skeleton } from "../../ui/feedback/feedback.tsx";
import { bytesText } from "../../ui/format.ts";
import type { EditorHandle } from "./editor/editor.tsx";
import { Excerpt } from "./excerpt.tsx";
import type { FilePosition } from "./excerpt-lines.ts";
import { editorBytes } from "./open-file.ts";
import styles from "./run.module.css";
import type { Draft } from "./use-draft.ts";
import type { CheckReport } from "./worker/jobs.ts";

const Editor = lazy(() => import("./editor/editor.tsx").then((module) => ({ default: module.Editor })));

const editorLabel = "Mass operation file. Tab indents; Escape, then Tab, leaves. F8 goes to the next issue.";

const beginning: FilePosition = { offset: 0, line: 1, column: 1 };
const none: CheckReport["issues"] = [];

/** The file in the editor, or an excerpt of a file the editor does not take. */
export function Content({
  draft,
  report,
  position = beginning,
  onEdit,
  ref,
}: {
  draft: Draft;
  report: CheckReport | undefined;
  /** The position shown of a file that is not in the editor. */
  position: FilePosition | undefined;
  onEdit: (read: () => string) => void;
  ref: Ref<EditorHandle>;
}) {
  const { id, json, text } = draft;
  if (text === null)
    return (
      <div className={styles.content}>
        <p className={styles.note}>
          {json.size > editorBytes
            ? `Sent unchanged: it is larger than the editor’s limit of ${bytesText(editorBytes)}.`
            : "Cannot be edited: it is not UTF-8."}
        </p>
        <Excerpt json={json} position={position} isMarked={position !== beginning} />
      </div>
    );
  return (
    <div className={styles.content}>
      <Suspense fallback={<Skeleton lines={10} />}>
        <Editor
          key={id}
          text={text}
          label={editorLabel}
          issues={report?.issues ?? none}
          onEdit={onEdit}
          ref={ref}
        />
      </Suspense>
    </div>
  );
}

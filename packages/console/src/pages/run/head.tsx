import { useRef } from "react";
import { usePageTitle } from "../../layout/page-title.ts";
import { bytesText } from "../../ui/format.ts";
import { Button } from "../../ui/input/button.tsx";
import { PageHead } from "../../ui/page/page.tsx";
import styles from "./run.module.css";
import type { Draft } from "./use-draft.ts";

/** The file's name and size, and the button to choose another. */
export function Head({ draft: { name, json }, onFile }: { draft: Draft; onFile: (file: File) => void }) {
  usePageTitle(json.size > 0 ? `Run ${name}` : undefined);
  const input = useRef<HTMLInputElement>(null);
  return (
    <PageHead
      title="Run a file"
      facts={
        json.size > 0 && (
          <span className={styles.file}>
            <code>{name}</code> {bytesText(json.size)}
          </span>
        )
      }
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Mass operation file"
        accept=".json,.gz,application/json,application/gzip"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again after it was changed.
          if (file !== undefined) onFile(file);
          target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>Choose a file …</Button>
    </PageHead>
  );
}

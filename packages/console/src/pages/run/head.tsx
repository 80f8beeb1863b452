import { usePageTitle } from "../../layout/page-title.ts";
import { bytesText } from "../../ui/format.ts";
import { PageHead } from "../../ui/page/page.tsx";
import { tableEndings } from "./convert/recognize.ts";
import { FileButton } from "./file-button.tsx";
import styles from "./run.module.css";

/** The file's name and size, and the button to choose another. */
export function Head({
  title,
  name,
  size,
  onFiles,
}: {
  title: string;
  name: string;
  size: number;
  onFiles: (files: readonly File[]) => void;
}) {
  usePageTitle(size > 0 ? `${title.split(" ")[0]} ${name}` : undefined);
  return (
    <PageHead
      title={title}
      facts={
        size > 0 && (
          <span className={styles.file}>
            <code>{name}</code> {bytesText(size)}
          </span>
        )
      }
    >
      <FileButton
        label="Mass operation file"
        accept={`.json,.gz,application/json,application/gzip,${tableEndings}`}
        multiple
        onFiles={onFiles}
      >
        Choose a file …
      </FileButton>
    </PageHead>
  );
}

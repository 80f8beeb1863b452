import { type ReactNode, useRef } from "react";
import { Button } from "../../ui/input/button.tsx";

/** A button to choose files. The same files may be chosen again after they were changed. */
export function FileButton({
  label,
  accept,
  multiple = false,
  onFiles,
  children,
}: {
  /** The name of the input, which is hidden. */
  label: string;
  accept: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          if (files.length > 0) onFiles(files);
          target.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>{children}</Button>
    </>
  );
}

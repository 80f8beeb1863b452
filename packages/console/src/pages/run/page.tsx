import { createLazyRoute } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useRole, useTenant } from "../../api/session.ts";
import { ConfirmDialog } from "../../ui/feedback/dialog.tsx";
import { ErrorNote } from "../../ui/feedback/feedback.tsx";
import { bytesText } from "../../ui/format.ts";
import { Page } from "../../ui/page/page.tsx";
import { Checks } from "./checks.tsx";
import { Content } from "./content.tsx";
import { ConvertStep } from "./convert/step.tsx";
import { Head } from "./head.tsx";
import styles from "./run.module.css";
import { SendingBar, StartBar } from "./start/start-bar.tsx";
import { isOpening, type Opening } from "./use-draft.ts";
import { useRunPage } from "./use-run-page.ts";
import type { CheckReport } from "./worker/jobs.ts";

/** Runs a file that was dropped, chosen, pasted or typed; it is checked here before anything is sent. */
function RunPage() {
  // Tenants do not share a file.
  return <RunFile key={useTenant()} />;
}

/** The skeleton of a file, with the cursor where its first operation goes. */
const frame = ['{\n  "version": "1.0.0",\n  "operations": [\n    ', "\n  ]\n}\n"] as const;

function RunFile() {
  const page = useRunPage();
  const { draft, table, take } = page;
  const { chosen } = table;
  const operations = useFocusAfter(chosen !== undefined);
  const { name, size } = chosen?.table ?? { name: draft.name, size: chosen ? 0 : draft.json.size };
  return (
    <Page isFlush>
      <Head
        title={chosen === undefined ? "Run a file" : "Convert a table"}
        name={name}
        size={size}
        onFiles={take}
      />
      {table.error !== undefined && <ErrorNote error={table.error} />}
      {/* The editor keeps its edits. */}
      <div ref={operations} className={styles.operations} hidden={chosen !== undefined}>
        <Operations page={page} />
      </div>
      {chosen !== undefined && (
        <ConvertStep
          chosen={chosen}
          onChoose={table.choose}
          onPreset={table.takePreset}
          onFiles={take}
          onOpen={page.openConverted}
          onClose={table.close}
        />
      )}
      <Question page={page} />
    </Page>
  );
}

/** Moves the focus to the page's content when the step that had it is over. Returns a ref of a part of that. */
function useFocusAfter(isStep: boolean) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isStep) return;
    return () => {
      if (document.activeElement === document.body) part.current?.closest("main")?.focus();
    };
  }, [isStep]);
  return part;
}

/** The file of operations, with its checks and what starts it. */
function Operations({ page }: { page: ReturnType<typeof useRunPage> }) {
  const { draft, opening, check, sending, editor, setEditor } = page;
  const show = ({ line, column, offset }: CheckReport["issues"][number]) => {
    if (line === null || column === null || offset === null) return;
    if (draft.text === null) page.setPosition({ line, column, offset });
    else editor?.goTo(line, column);
  };
  return (
    <>
      <Start page={page} />
      {page.error !== null && <ErrorNote error={page.error} />}
      {opening && <OpeningNote opening={opening} />}
      <div className={styles.parts} inert={sending !== undefined || isOpening(opening)}>
        <Content
          draft={draft}
          report={check.report}
          position={page.position}
          ref={setEditor}
          onEdit={page.edit}
        />
        <Checks
          check={check}
          size={draft.json.size}
          onShow={show}
          onBegin={editor === null ? undefined : () => editor.write(frame.join(""), frame[0].length)}
        />
      </div>
    </>
  );
}

function Start({ page }: { page: ReturnType<typeof useRunPage> }) {
  const role = useRole();
  if (role === "reader")
    return (
      <p className={styles.note}>You have the role reader: you can check files here, but not run them.</p>
    );
  if (page.sending !== undefined) return <SendingBar sending={page.sending} onCancel={page.cancel} />;
  return (
    <StartBar
      mayRun={role === "admin"}
      options={page.options}
      onOptions={page.setOptions}
      reason={page.reason}
      operations={page.check.report?.operations ?? 0}
      onStart={page.start}
    />
  );
}

function OpeningNote({ opening: { name, bytes, error } }: { opening: Opening }) {
  if (error !== undefined) return <ErrorNote error={error} />;
  return (
    <p className={styles.note} role="status">
      Opening {name} … {bytes > 0 && bytesText(bytes)}
    </p>
  );
}

/** Asks before edits are replaced. */
function Question({ page: { replacing } }: { page: ReturnType<typeof useRunPage> }) {
  if (replacing.asked === undefined) return null;
  return (
    <ConfirmDialog
      title="Replace your edits?"
      description={`The file has unsent edits. They will be replaced by ${replacing.asked.name}.`}
      verb="Replace"
      isDestructive
      onConfirm={replacing.confirm}
      onClose={replacing.close}
    />
  );
}

export const page = createLazyRoute("/@{$tenant}/run")({ component: RunPage });

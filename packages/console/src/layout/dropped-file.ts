import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useTenant } from "../api/session.ts";
import { storeOf } from "../api/store.ts";

/** A file that was dropped, until the page Run takes it. */
const dropped = storeOf<File | undefined>(undefined);

/** Takes the file that led to this page, and those dropped while it is open. */
export function useDroppedFile(onFile: (file: File) => void): void {
  const file = dropped.use();
  const take = useEffectEvent(onFile);
  useEffect(() => {
    if (file === undefined) return;
    dropped.set(undefined);
    take(file);
  }, [file]);
}

/** Opens a file in Run, which asks first if that would replace edits. */
export function useOpenInRun(): (file: File) => void {
  const tenant = useTenant();
  const navigate = useNavigate();
  const router = useRouter();
  return (file) => {
    dropped.set(file);
    const run = { to: "/@{$tenant}/run", params: { tenant } } as const;
    if (router.buildLocation(run).pathname !== router.latestLocation.pathname) void navigate(run);
  };
}

/** Opens a file that is dropped anywhere in Run. Returns true while one is dragged over the window. */
export function useFileDrop(): boolean {
  const [isOver, setOver] = useState(false);
  const open = useEffectEvent(useOpenInRun());
  useEffect(() => {
    const controller = new AbortController();
    // The editor would insert the text of a file: it must not see the event.
    const options = { signal: controller.signal, capture: true };
    // A picture of the page that is dragged counts as a file, too.
    let isOfPage = false;
    const take = (event: DragEvent): boolean => {
      if (isOfPage || !event.dataTransfer?.types.includes("Files")) return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    addEventListener("dragstart", () => (isOfPage = true), options);
    addEventListener("dragend", () => (isOfPage = false), options);
    addEventListener("dragover", (event) => take(event) && setOver(true), options);
    addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && setOver(false), options);
    addEventListener(
      "drop",
      (event) => {
        if (!take(event)) return;
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file !== undefined) open(file);
      },
      options,
    );
    return () => controller.abort();
  }, []);
  return isOver;
}

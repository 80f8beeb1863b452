import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useTenant } from "../api/session.ts";
import { storeOf } from "../api/store.ts";

const none: readonly File[] = [];

/** Files that were dropped together, until the page Run takes them. */
const dropped = storeOf(none);

/** Takes the files that led to this page, and those dropped while it is open. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): void {
  const files = dropped.use();
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    if (files.length === 0) return;
    dropped.set(none);
    take(files);
  }, [files]);
}

/** Opens files in Run, which asks first if that would replace edits. */
export function useOpenInRun(): (files: readonly File[]) => void {
  const tenant = useTenant();
  const navigate = useNavigate();
  const router = useRouter();
  return (files) => {
    dropped.set(files);
    const run = { to: "/@{$tenant}/run", params: { tenant } } as const;
    if (router.buildLocation(run).pathname !== router.latestLocation.pathname) void navigate(run);
  };
}

/** Opens files that are dropped anywhere in Run. Returns true while one is dragged over the window. */
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
        open([...(event.dataTransfer?.files ?? [])]);
      },
      options,
    );
    return () => controller.abort();
  }, []);
  return isOver;
}

import { useEffect, useRef } from "react";

const steps: Readonly<Record<string, 1 | -1>> = { n: 1, p: -1 };

/** Lets `n` and `p` take a step forward and back, from anywhere but where one types. */
export function useStepKeys(onStep: (by: 1 | -1) => void): void {
  const latest = useRef(onStep);
  latest.current = onStep;
  useEffect(() => {
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent) => {
      const step = steps[key];
      if (step === undefined || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]")) return;
      latest.current(step);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

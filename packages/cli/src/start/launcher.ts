/** Milliseconds between two checks of the parent process. */
const interval = 500;

/** Read when the command begins: its parent may be gone before it is ready. */
const launcher = process.ppid;

/**
 * Calls back when the `npx` that started this process is gone: npm passes a SIGTERM on to its shell only, and the
 * command would keep running unseen. Without `npx`, nothing is watched. Returns a function that stops watching.
 */
export function whenLauncherEnds(callback: () => void): () => void {
  if (process.env.npm_command !== "exec") return () => {};
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    callback();
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}

const interval = 500;

/** Read when the command begins: who started it may be gone before it is ready. */
const launcher = process.ppid;

/**
 * Calls back when `npx`, which started this process, has gone: npm passes a SIGTERM on to its shell only, and the
 * command would go on unseen. Whoever starts the command in another way ends it himself. Returns how to stop looking.
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

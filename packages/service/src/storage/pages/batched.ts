/**
 * Makes a function that looks up one key, and loads all keys requested together. Nothing is cached: reads after a later
 * mutation of the same request must see it.
 *
 * @param gather resolves when no more keys are awaited; default: when the event loop yields
 */
export function batched<Value>(
  load: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
  gather: () => Promise<unknown> = afterCallbacks,
): (key: string) => Promise<Value | undefined> {
  let waiting: { keys: Set<string>; answers: Promise<ReadonlyMap<string, Value>> } | undefined;
  const open = () => {
    const keys = new Set<string>();
    const answers = gather().then(() => {
      waiting = undefined;
      return load([...keys]);
    });
    return { keys, answers };
  };
  return async (key) => {
    waiting ??= open();
    const { keys, answers } = waiting;
    keys.add(key);
    return (await answers).get(key);
  };
}

/** Resolvers of one level are called within promise callbacks; the next tick comes after all of them. */
async function afterCallbacks(): Promise<void> {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

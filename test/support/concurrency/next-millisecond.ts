/** Waits until the clock shows another millisecond, so that what is written next has a time of its own. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
}

/** Waits before the next attempt: up to 5, 10, 20 … 640 milliseconds, at random, so that two writers part. */
export const backOff = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** Math.min(attempt, 7)));

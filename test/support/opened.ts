import { afterAll, beforeAll } from "vitest";

/** What `open` answers, from before the tests of a file or a `describe` until it is closed after them. */
export function opened<Opened extends { close(): unknown }>(open: () => Promise<Opened>): Opened {
  const target = {} as Opened;
  beforeAll(async () => {
    Object.assign(target, await open());
  });
  afterAll(async () => {
    await target.close();
  });
  return target;
}

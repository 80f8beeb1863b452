import { afterAll, beforeAll } from "vitest";

/** Opens something before the tests of a file or a `describe`, and closes it after them. */
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

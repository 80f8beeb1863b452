import { afterEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { hashesOf } from "../support/hashes-of.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "AAAA" });

/** 40 operations, each with 64 KiB of space before it, so that 15 are complete within the first MiB. */
const spacedOut = `{"version": "1.0.0", "operations": [${Array.from(
  { length: 40 },
  (_, i) => " ".repeat(64 * 1024) + JSON.stringify(group(`g${i}`)),
).join()}]}`;

describe.each(engines)("a file altered after its validation, on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  /** Runs a file that changes before pass two, with the same size and ETag. */
  async function run(file: string, other: string, validated = async (_id: string) => {}) {
    expect(other.length).toBe(file.length);
    let id = "";
    const store = {
      ...bench.store,
      read: async function* (_key: string, { start }: { start?: number } = {}) {
        // Pass two names the offset that it reads from.
        if (start !== undefined) await validated(id);
        yield Buffer.from(start === undefined ? file : other.slice(start));
      },
    };
    id = await bench.start(file);
    const stop = await bench.runner({ store });
    const task = await bench.ended(id);
    await stop();
    return { id, task };
  }
  const changed = { status: "error", info: { errorName: "ObjectChanged" } };

  test("a file altered after validation ends the task with ObjectChanged before any operation runs", async () => {
    const file = JSON.stringify({ version: "1.0.0", operations: [group("a"), group("b")] });
    const { id, task } = await run(file, file.replaceAll("AAAA", "BBBB"));
    expect(task).toMatchObject({ ...changed, progress: { processed: 0 } });
    expect(await bench.log(id)).toEqual([]);
  });

  test("an alteration in the second MiB still executes the operations of the first", async () => {
    const { id, task } = await run(spacedOut, spacedOut.replace(/(g30.*?)AAAA/, "$1BBBB"));
    expect(task).toMatchObject({ ...changed, progress: { processed: 15, succeeded: 15 } });
    expect((await bench.log(id)).length).toBe(15);
  });

  const withHashesOf = (file: string) => async (id: string) => {
    // The claim was made with other hashes; the next one has these.
    await bench.database.execute(
      `UPDATE bulk_tasks SET stretch_hashes = decode($2, 'base64'), epoch = epoch + 1, owner = NULL, lease_until = NULL
       WHERE id = $1 AND stretch_hashes <> decode($2, 'base64')`,
      [id, hashesOf(file)],
    );
  };

  test.each([
    ["a key", '"intent"', '"int{nt"'],
    ["an intent", "group/upsert", "group/upzert"],
    ["JSON", '"name":"AAAA"', '"name";"AAAA"'],
    ["the list", '"},{"', '"}:{"'],
  ])(
    "a file that this version reads differently than the one that validated it, not as %s, ends its task after what can be",
    async (_, was, is) => {
      const file = JSON.stringify({ version: "1.0.0", operations: [group("a"), group("b"), group("c")] });
      const at = file.lastIndexOf(was);
      const other = file.slice(0, at) + is + file.slice(at + was.length);
      const { task } = await run(file, other, withHashesOf(other));
      expect(task).toMatchObject({ ...changed, progress: { processed: 2, succeeded: 2 } });
      expect(task.info?.error).toContain("is no longer what was validated");
      await bench.runner();
      expect((await bench.ended(await bench.start([group("next")]))).status).toBe("complete");
    },
  );
});

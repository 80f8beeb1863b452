import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { pinnedToCopies } from "../../src/app/move/pinned-tasks.ts";
import { openMemoryStore } from "../../src/uploads/memory-store.ts";

const key = (name: string) => `acme/mass-operations/k/${name}.json`;
const task = (id: string, name: string, etag: string) => ({ tenantId: "acme", id, key: key(name), etag });

test("tasks are pinned to the copies of their files, each looked up once", async () => {
  const [source, target] = [openMemoryStore(), openMemoryStore()];
  const put = async (store: typeof source, name: string) =>
    (await store.put(key(name), Readable.from([Buffer.from("{}")]), { maxBytes: 10 })).etag;
  const original = await put(source, "a");
  const copy = await put(target, "a");
  const same = await put(target, "same");
  const asked: string[] = [];
  const counting = (name: string, { stat }: typeof source) => ({
    stat: (wanted: string) => {
      asked.push(`${name} ${wanted}`);
      return stat(wanted);
    },
  });
  const tasks = [
    ...["t1", "t2", "t3"].map((id) => task(id, "a", original)),
    task("changed", "a", "another"),
    task("copied", "same", same),
    task("lost", "gone", "x"),
  ];
  const found = await pinnedToCopies(tasks, counting("source", source), counting("target", target));
  expect(found).toEqual(["t1", "t2", "t3"].map((id) => ({ ...task(id, "a", original), copy })));
  expect(asked.sort()).toEqual([
    ...[`source ${key("a")}`, `target ${key("a")}`, `target ${key("gone")}`, `target ${key("same")}`],
  ]);
});

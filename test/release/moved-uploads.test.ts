import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { type MoveOptions, moveData } from "../../packages/service/src/index.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { tenantToWriteFor } from "../../packages/service/src/storage/tenants/find.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { openS3Store, s3Bucket } from "../../packages/service/src/uploads/s3-store.ts";
import {
  between,
  filled,
  folderOfTest,
  isEmpty,
  type MoveLocation,
  refusal,
  serverLocation,
} from "../moves/locations.ts";
import { opened } from "../support/opened.ts";
import { startS3 } from "../support/servers/s3.ts";

const s3 = opened(startS3);

/** A location of uploads: the options that name it, and its store. */
interface Uploads {
  readonly end: Pick<MoveOptions["from"], "dataDir" | "s3">;
  readonly store: ObjectStore;
}

async function uploadsIn(kind: "folder" | "bucket"): Promise<Uploads> {
  const dataDir = await folderOfTest();
  if (kind === "folder") return { end: { dataDir }, store: await openFileStore(join(dataDir, "uploads")) };
  const bucket = await s3.newBucket();
  return { end: { dataDir, s3: bucket }, store: await openS3Store(s3Bucket(bucket)) };
}

function withUploads(
  ends: readonly [MoveLocation, MoveLocation],
  from: Uploads,
  to: Uploads,
  tenant?: string,
) {
  const options = between(...ends, tenant);
  const uploadsToFolder = from.end.s3 !== undefined && to.end.s3 === undefined;
  return {
    ...options,
    from: { ...options.from, ...from.end },
    to: { ...options.to, ...to.end, uploadsToFolder },
  };
}

const put = (store: ObjectStore, key: string, text: string) =>
  store.put(key, Readable.from([Buffer.from(text)]), { maxBytes: 100 });

const file = "id-acme/mass-operations/k/f.json";

const keysOf = async (store: ObjectStore) =>
  (await Array.fromAsync(store.list(""))).map(({ key }) => key).sort();

const pin = (location: MoveLocation, tenant: string) =>
  location.using(async (database) => {
    const sql = "SELECT etag FROM bulk_tasks WHERE tenant_id = $1";
    return (await database.query<{ etag: string }>(sql, [`id-${tenant}`]))[0]?.etag;
  });

const setPin = (location: MoveLocation, tenant: string, etag: string) =>
  location.using((database) =>
    database.execute("UPDATE bulk_tasks SET etag = $2 WHERE tenant_id = $1", [`id-${tenant}`, etag]),
  );

const picture = "id-shop/media/k/a.png";

const picturePins = (location: MoveLocation) =>
  location.using((database) =>
    database.query<{ path: string; etag: string }>("SELECT path, etag FROM task_pictures ORDER BY path"),
  );

describe.each([
  ["folder", "bucket"],
  ["bucket", "folder"],
  ["bucket", "bucket"],
] as const)("uploads moved from a %s to a %s", (kind, targetKind) => {
  test("are compared; a store that fails halfway leaves no row, and the same move resumes", async () => {
    const ends = [await filled(await serverLocation(), "acme", "shop"), await serverLocation()] as const;
    const [from, to] = [await uploadsIn(kind), await uploadsIn(targetKind)];
    const { etag } = await put(from.store, file, "{}");
    await setPin(ends[0], "acme", etag);
    const original = await put(from.store, picture, "image");
    await ends[0].using((database) =>
      database.execute(
        "INSERT INTO task_pictures VALUES ('id-shop', 't', 'a', $1, $2), ('id-shop', 't', 'b', $1, 'e')",
        [...[picture, original.etag]],
      ),
    );
    writeFileSync(join(from.end.dataDir ?? "", "signing-key"), "of the source\n");
    const options = withUploads(ends, from, to);

    await put(to.store, "id-shop/media/k/a.png", "cut");
    expect(await refusal(options)).toMatch(
      new RegExp(
        `^The uploads in the ${kind} .* cannot be copied to the ${targetKind} .*: the target has another file under the ` +
          "key id-shop/media/k/a.png: 3 bytes instead of 5. Nothing was moved",
      ),
    );
    await isEmpty(ends[1]);
    await to.store.delete("id-shop/media/k/a.png");

    const moved = await moveData(options);
    expect(moved).toMatchObject({ files: { copied: 1, bytes: 5, present: 1 }, secrets: ["signing-key"] });
    expect(await keysOf(to.store)).toEqual([file, "id-shop/media/k/a.png"]);
    const copy = await to.store.stat(file);
    expect([await pin(ends[1], "acme"), await pin(ends[1], "shop")]).toEqual([copy?.etag, "e"]);
    expect(await picturePins(ends[1])).toEqual([
      { path: "a", etag: (await to.store.stat(picture))?.etag },
      { path: "b", etag: "e" },
    ]);
  });

  test("are those of the moved tenant, including one uploaded during the move", async () => {
    const ends = [await filled(await serverLocation(), "acme", "other"), await serverLocation()] as const;
    const [from, to] = [await uploadsIn(kind), await uploadsIn(targetKind)];
    for (const tenant of ["acme", "other"]) await put(from.store, `id-${tenant}/media/k/a.png`, tenant);
    const copied = Promise.withResolvers<void>();
    const options = { ...withUploads(ends, from, to, "acme"), onFiles: () => copied.resolve() };
    const writer = openPostgres(ends[0].location.databaseUrl!);
    onTestFinished(() => writer.close());
    let moving: Promise<unknown> | undefined;
    await writer.transaction(async (transaction) => {
      await tenantToWriteFor(transaction, "id-acme");
      moving = moveData(options);
      await Promise.race([copied.promise, moving]);
      const { etag } = await put(from.store, file, "{}");
      await transaction.execute("UPDATE bulk_tasks SET etag = $1 WHERE tenant_id = 'id-acme'", [etag]);
    });
    await moving;
    expect(await keysOf(to.store)).toEqual([file, "id-acme/media/k/a.png"]);
    expect(await pin(ends[1], "acme")).toBe((await to.store.stat(file))?.etag);
  });
});

test("uploads in a bucket that both ends name by different URLs stay there, and are reported as shared", async () => {
  const ends = [await filled(await serverLocation(), "acme"), await serverLocation()] as const;
  const from = await uploadsIn("bucket");
  const { etag } = await put(from.store, file, "{}");
  await setPin(ends[0], "acme", etag);
  const s3Options = from.end.s3!;
  const other = { ...s3Options, endpoint: `${s3Options.endpoint}/` };
  const moved = await moveData(withUploads(ends, from, { ...from, end: { s3: other } }, "acme"));
  // Without copies, the advice is to keep the tenant at the source: its deletion would delete these uploads.
  expect(moved.files).toBeNull();
  expect(await keysOf(from.store)).toEqual([file]);
  expect(await pin(ends[1], "acme")).toBe(etag);
});

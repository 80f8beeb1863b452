import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { fetchLimits } from "../../packages/service/src/media/fetch/limits.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import {
  findPictures,
  type GivenPicture,
  notePicture,
  pictureLimits,
  releaseUntakenPictures,
} from "../../packages/service/src/tasks/pictures.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { sweepReleased } from "../../packages/service/src/tasks/released-images.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { undoTask } from "../../packages/service/src/tasks/undo.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import { setBack } from "../support/database.ts";
import { engines } from "../support/engines.ts";
import { png } from "../support/images/samples.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const sha256Of = (content: Buffer) => createHash("sha256").update(content).digest("hex");

describe.each(engines)("pictures that a file names by paths, on $name", ({ open }) => {
  let bench: RunnerBench;
  let number = 0;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
    await bench.runner();
  });
  afterEach(() => {
    number++;
  });
  afterAll(() => bench.close());

  const register = (path: string, more = "") => ({
    intent: "image/register",
    key: `{{ upload "${path}" ${more}}}`,
  });
  const newPicture = () => png(1, 1, ++number);
  async function store(content: Buffer, { tenant = bench.tenant, sha256 = sha256Of(content) } = {}) {
    const key = newUploadKey(tenant.id, "a.png", "MEDIA");
    await notePicture(bench.database, tenant.id, { key, sha256 });
    await bench.store.put(key, [content] as never, { maxBytes: 1e8 });
    return key;
  }
  async function replace(key: string, content: Buffer) {
    await bench.store.delete(key);
    await bench.store.put(key, [content] as never, { maxBytes: 1e8 });
  }
  const isStored = async (key: string) => (await bench.store.stat(key)) !== undefined;
  async function ended(
    operations: readonly object[],
    pictures: readonly GivenPicture[],
    more: { kind?: "run" | "plan"; tenant?: Tenant } = {},
  ) {
    const id = await bench.start(operations, { pictures, ...more });
    const task = await bench.ended(id, more.tenant);
    return { id, task, log: await bench.log(id, more.tenant) };
  }
  const create = (pictures: readonly GivenPicture[] | undefined, more = {}) =>
    createTask(bench, bench.tenant, { key: "nowhere", ...(pictures && { pictures }), ...more });
  const age = () =>
    setBack(bench.database, { table: "pictures", key: "key", columns: ["requested_at"], hours: 25 });
  async function sweep() {
    await releaseUntakenPictures(bench.database, () => false);
    await sweepReleased(bench);
  }

  test("a path without a picture fails its operation and is a warning about the file; both name it", async () => {
    const { id, task, log } = await ended([register("./a.png"), register("../b.png")], []);
    expect(task).toMatchObject({ status: "complete", warningCount: 2, progress: { failed: 2 } });
    const message =
      'no picture was given for the path "./a.png": run the file with the `lading` command, which sends the pictures, ' +
      "or name the key of the upload in `pictures` of the task";
    expect(log).toMatchObject([
      { statusCode: 400, errorName: "ImageFetchError", message: expect.stringContaining(message.slice(1)) },
      {
        statusCode: 400,
        message: expect.stringContaining(
          'could not be fetched: the picture "../b.png" may not have "..": pictures are in the',
        ),
      },
    ]);
    const issues = await bench.database.query(
      "SELECT issue->>'code' AS code, issue->>'message' AS message, issue->>'pointer' AS pointer FROM bulk_task_issues WHERE task_id = $1 ORDER BY 3",
      [id],
    );
    expect(issues).toMatchObject([
      { code: "UnusablePicture", message, pointer: "/operations/0/key" },
      { code: "UnusablePicture", pointer: "/operations/1/key" },
    ]);
  });

  test("a computed path without a picture fails its operation", async () => {
    const group = { intent: "customer/group/upsert", identifier: "g", name: "./a.png", _ref: "g" };
    const computed = { intent: "image/register", key: "{{ upload g.identifier }}" };
    const { log } = await ended([group, computed], []);
    expect(log[1]).toMatchObject({
      message: expect.stringContaining(
        'the picture "g" must begin with "./", such as "./g", or with "https://"',
      ),
    });
  });

  test("no task is created with a picture larger than the tenant's limit, whatever the store has taken", async () => {
    const file = await bench.upload([register("./a.png")]);
    const key = await store(Buffer.alloc(10_000));
    const limited = (uploadMaxBytes: number) =>
      createTask(
        bench,
        { ...bench.tenant, settings: { ...bench.tenant.settings, uploadMaxBytes } },
        { key: file, pictures: [{ path: "./a.png", key }] },
      );
    await expect(limited(9_999)).rejects.toMatchObject({
      name: "ValidationError",
      message: expect.stringContaining('The picture "./a.png" has 10000 bytes; the tenant\'s limit is 9999'),
    });
    expect(await limited(10_000)).toMatchObject({ status: "pending" });
  });

  test.each(["run", "plan"] as const)("a picture that was replaced is refused by a %s", async (kind) => {
    const key = await store(newPicture());
    const [held] = [await bench.start([{ intent: "nothing" }])];
    await bench.ended(held!);
    await bench.stopRunners();
    const id = await bench.start([register("./a.png")], { pictures: [{ path: "./a.png", key }], kind });
    await replace(key, png(1, 1, 0, 200));
    await bench.runner();
    await bench.ended(id);
    expect(await bench.log(id)).toMatchObject([
      {
        statusCode: 400,
        errorName: "ImageFetchError",
        message: expect.stringContaining(
          'The picture "./a.png" is gone or was replaced, after the task was created',
        ),
      },
    ]);
  });

  describe("a picture with another digest than stated", () => {
    async function misstated() {
      const [content, other] = [newPicture(), newPicture()];
      const key = await store(content, { sha256: sha256Of(other) });
      const message = `with the SHA-256 ${sha256Of(content)}, not ${sha256Of(other)} as stated`;
      const refused = { errorName: "ImageFetchError", message: expect.stringContaining(message) };
      return { key, refused, digest: sha256Of(other) };
    }
    const paths = ["./a.png", "./b.png"];
    const operations = paths.map((path) => register(path));
    const picturesAt = (key: string) => paths.map((path) => ({ path, key }));

    test("is refused by each operation of a task and of its retries", async () => {
      const { key, refused } = await misstated();
      const { id, log } = await ended(operations, picturesAt(key));
      expect(log).toMatchObject([refused, refused]);
      const retry = await retryTask(bench, bench.tenant, { id, autoStart: true });
      await bench.ended(retry.id);
      expect(await bench.log(retry.id)).toMatchObject([refused, refused]);
    });

    test("is refused by a run that follows a plan", async () => {
      const { key, refused } = await misstated();
      const plan = await ended(operations, picturesAt(key), { kind: "plan" });
      expect(plan.log).toMatchObject([refused, refused]);
      const run = await createTask(bench, bench.tenant, { plan: plan.id, autoStart: true });
      await bench.ended(run.id);
      expect(await bench.log(run.id)).toMatchObject([refused, refused]);
    });

    test("is refused, and not found, when it was registered by its key", async () => {
      const { key, refused, digest } = await misstated();
      await ended([{ intent: "image/register", key }], []);
      expect(await findPictures(bench, bench.tenant.id, [digest])).toEqual([]);
      expect((await ended(operations, picturesAt(key))).log).toMatchObject([refused, refused]);
    });

    test("is not found any more, and known by the right one", async () => {
      const { key, digest } = await misstated();
      await ended(operations, picturesAt(key));
      expect(await findPictures(bench, bench.tenant.id, [digest])).toEqual([]);
      expect((await ended(operations, picturesAt(key))).task).toMatchObject({ progress: { succeeded: 2 } });
    });
  });

  test("a picture that is not an image, and one that is not what the template says, fail the operation", async () => {
    const [text, picture] = [Buffer.from("text"), newPicture()];
    const pictures = [
      { path: "./text.png", key: await store(text) },
      { path: "./a.png", key: await store(picture) },
    ];
    const { log } = await ended(
      [register("./text.png"), register("./a.png", `sha256="${"0".repeat(64)}"`)],
      pictures,
    );
    expect(log.map(({ message }) => message)).toEqual([
      expect.stringContaining('The picture "./text.png": The file stored under "'),
      expect.stringContaining(`The SHA-256 of the picture "./a.png" is ${sha256Of(picture)}, not 000`),
    ]);
  });

  test("a picture too large for an image from a URL is compared with both digests, too", async () => {
    const large = Buffer.concat([newPicture(), Buffer.alloc(fetchLimits.bytes)]);
    const other = "0".repeat(64);
    const pictures = [
      { path: "./stated.png", key: await store(large, { sha256: other }) },
      { path: "./a.png", key: await store(large) },
    ];
    const { log } = await ended(
      [
        register("./stated.png"),
        register("./a.png", `sha256="${other}"`),
        register("./a.png", `sha256="${sha256Of(large)}"`),
      ],
      pictures,
    );
    expect(log).toMatchObject([
      { message: expect.stringContaining(`${sha256Of(large)}, not ${other} as stated`) },
      {
        message: expect.stringContaining(
          `SHA-256 of the picture "./a.png" is ${sha256Of(large)}, not ${other}`,
        ),
      },
      { status: "success" },
    ]);
  });

  test("of two images with the same content, the one whose key ends as the path does is taken", async () => {
    const content = newPicture();
    const keys = [await store(content), await store(content)];
    await ended(
      keys.map((key) => ({ intent: "image/register", key })),
      [],
    );
    const digest = `sha256="${sha256Of(content)}"`;
    const restored = keys.map((key) => register(`./images/${key.split("/").slice(-2).join("/")}`, digest));
    expect((await ended(restored, [])).log).toMatchObject(keys.map((key) => ({ output: { key } })));
  });

  test("the request is refused with the path or the key that is wrong", async () => {
    const key = await store(newPicture());
    const other = await bench.newTenant();
    const foreign = await store(newPicture(), { tenant: other });
    const file = await bench.upload([]);
    const refused = (pictures: readonly GivenPicture[], more = {}) =>
      expect(create(pictures, { key: file, ...more })).rejects;
    await refused([{ path: "a.png", key }]).toThrow('the picture "a.png" must begin with "./"');
    await refused([
      { path: "./a.png", key },
      { path: "./a.png", key },
    ]).toThrow('The picture "./a.png" is given twice');
    for (const missing of [foreign, `${bench.tenant.id}/media/${"0".repeat(32)}/a.png`, file, "x/../y"])
      await refused([{ path: "./a.png", key: missing }]).toThrow(
        `Nothing was uploaded with the type MEDIA under the key "${missing}" of the picture "./a.png"`,
      );
    const many = Array.from({ length: pictureLimits.paths + 1 }, (_, i) => ({ path: `./${i}.png`, key }));
    await refused(many).toThrow("There are 10001 pictures; a task may have 10000");
    await refused([{ path: "./a.png", key }], { plan: "x" }).toThrow("leave out pictures");
  });

  test("a repeated request with other pictures is refused", async () => {
    const [one, two] = [await store(newPicture()), await store(newPicture())];
    const key = await bench.upload([]);
    const request = (key_: string | undefined) =>
      create(key_ === undefined ? undefined : [{ path: "./a.png", key: key_ }], {
        key,
        idempotencyKey: "again",
      });
    const { id } = await request(one);
    expect(await request(one)).toMatchObject({ id });
    await expect(request(two)).rejects.toThrow("with other pictures: the paths or the keys differ");
    await expect(request(undefined)).rejects.toThrow("the paths or the keys differ");
  });

  test("a path is the key of the picture, in a plan as in a run by it, and the image is registered", async () => {
    const tenant = await bench.newTenant();
    const key = await store(newPicture(), { tenant });
    const operations = [register("./images/a.png", '"hero" ')];
    const pictures = [{ path: "./images/a.png", key }];
    const plan = await ended(operations, pictures, { tenant, kind: "plan" });
    expect(plan.log).toMatchObject([{ action: "created", output: { key } }]);
    const run = await createTask(bench, tenant, { plan: plan.id, autoStart: true });
    await bench.ended(run.id, tenant);
    expect(await bench.log(run.id, tenant)).toMatchObject([
      { status: "success", action: "created", output: { key } },
    ]);
    expect(
      await bench.database.query(
        "SELECT key, mime_type, resource_identifier FROM images WHERE tenant_id = $1",
        [tenant.id],
      ),
    ).toEqual([{ key, mime_type: "image/png", resource_identifier: "hero" }]);
  });

  test("a retry has the pictures of the task", async () => {
    const key = await store(newPicture());
    const identifier = `c${randomBytes(4).toString("hex")}`;
    const operation = {
      ...{ intent: "customer/update", identifier },
      firstName: '{{ upload "./a.png" }}',
    };
    const { id, log } = await ended([operation], [{ path: "./a.png", key }]);
    expect(log[0]).toMatchObject({ errorName: "CustomerNotFoundError" });
    await ended([{ intent: "customer/create", identifier, firstName: "Ann" }], []);
    const retry = await retryTask(bench, bench.tenant, { id, autoStart: true });
    await bench.ended(retry.id);
    expect(await bench.log(retry.id)).toMatchObject([{ status: "success" }]);
    expect(
      await bench.database.query("SELECT first_name FROM customers WHERE identifier = $1", [identifier]),
    ).toEqual([{ first_name: key }]);
  });

  test("pictures are found by their digests, registered or not, in the tenant only", async () => {
    const [content, other] = [newPicture(), newPicture()];
    const tenant = await bench.newTenant();
    const key = await store(content, { tenant });
    const digests = [sha256Of(content), sha256Of(other)];
    const found = () => findPictures(bench, tenant.id, digests);
    expect(await found()).toEqual([{ sha256: digests[0], key }]);
    await ended([register("./a.png")], [{ path: "./a.png", key }], { tenant });
    expect(await found()).toEqual([{ sha256: digests[0], key }]);
    expect(await findPictures(bench, bench.tenant.id, digests)).toEqual([]);
    await bench.store.delete(key);
    expect(await found()).toEqual([]);
    await expect(findPictures(bench, tenant.id, ["x"])).rejects.toThrow('"x" is not a SHA-256');
    await expect(findPictures(bench, tenant.id, Array(1_001).fill(digests[0]))).rejects.toThrow("1000");
  });

  test("a picture that no task has named is deleted after a day, and not before", async () => {
    const key = await store(newPicture());
    await sweep();
    expect(await isStored(key)).toBe(true);
    await age();
    await sweep();
    expect(await isStored(key)).toBe(false);
    expect(await bench.database.query("SELECT FROM pictures WHERE key = $1", [key])).toEqual([]);
  });

  test("a picture is deleted without being read", async () => {
    const key = await store(newPicture());
    await age();
    await releaseUntakenPictures(bench.database, () => false);
    const read = vi.fn(bench.store.read);
    await sweepReleased({ ...bench, store: { ...bench.store, read } });
    expect(await isStored(key)).toBe(false);
    expect(read).not.toHaveBeenCalled();
  });

  test("a picture that was asked for is kept for another day", async () => {
    const content = newPicture();
    const key = await store(content);
    await age();
    expect(await findPictures(bench, bench.tenant.id, [sha256Of(content)])).toMatchObject([{ key }]);
    await sweep();
    expect(await isStored(key)).toBe(true);
  });

  test("a picture that is deleted while a task is created for it is missing", async () => {
    const key = await store(newPicture());
    const file = await bench.upload([]);
    await age();
    const deletedAfterLookUp: typeof bench.store = {
      ...bench.store,
      stat: async (each) => {
        const found = await bench.store.stat(each);
        if (each === key) await sweep();
        return found;
      },
    };
    const request = { key: file, pictures: [{ path: "./a.png", key }] };
    await expect(
      createTask({ ...bench, store: deletedAfterLookUp }, bench.tenant, request),
    ).rejects.toMatchObject({ name: "UploadNotFoundError" });
  });

  test("a picture that failed is kept until its task is pruned; one that is used is kept", async () => {
    const tenant = await bench.newTenant();
    const [unused, used, named] = [
      await store(newPicture(), { tenant }),
      await store(newPicture(), { tenant }),
      await store(newPicture(), { tenant }),
    ];
    const pictures = [
      { path: "./unused.png", key: unused },
      { path: "./used.png", key: used },
      { path: "./named.png", key: named },
    ];
    const failing = {
      ...{ intent: "customer/update", identifier: "nobody" },
      firstName: '{{ upload "./unused.png" }}',
    };
    const naming = { intent: "customer/create", identifier: "ann", firstName: `key ${named}` };
    const { log } = await ended([failing, register("./used.png"), naming], pictures, { tenant });
    expect(log.map(({ status }) => status)).toEqual(["failure", "success", "success"]);
    await age();
    await sweep();
    expect(await Promise.all([unused, used, named].map(isStored))).toEqual([true, true, true]);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    expect(await Promise.all([unused, used, named].map(isStored))).toEqual([false, true, true]);
    expect(await bench.database.query("SELECT FROM task_pictures WHERE tenant_id = $1", [tenant.id])).toEqual(
      [],
    );
  });

  test("an undone picture is kept while its task can be repeated, and deleted with the task", async () => {
    const tenant = await bench.newTenant();
    const key = await store(newPicture(), { tenant });
    const { id } = await ended([register("./a.png")], [{ path: "./a.png", key }], { tenant });
    const undo = await undoTask(bench.database, tenant, { id, autoStart: true });
    await bench.ended(undo.id, tenant);
    expect(await bench.database.query("SELECT FROM images WHERE tenant_id = $1", [tenant.id])).toEqual([]);
    await sweep();
    expect(await isStored(key)).toBe(true);
    await pruneTasks(bench, { olderThanDays: 0, tenantId: tenant.id });
    await sweep();
    expect(await isStored(key)).toBe(false);
  });
});

import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { main } from "lading/main";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { png } from "../support/images/samples.ts";
import { openService, serviceEngines, type TestService } from "../support/service.ts";

const pictures = 12;
const file = (operations: readonly object[]) => ({ version: "1.0.0", operations });
const register = (path: string, name = "") => ({
  intent: "image/register",
  key: `{{ upload "${path}" ${name && `"${name}" `}}}`,
});

describe.each(serviceEngines)("pictures next to a file, with a service on %s,", (engine) => {
  let service: TestService;
  let home: string;
  let folder: string;
  let tenant: string;
  let client: TenantClient;
  let number = 0;

  beforeAll(async () => {
    service = await openService(engine, { rateLimit: 0 });
    home = await mkdtemp(join(tmpdir(), "lading-pictures-"));
  });
  afterAll(async () => {
    await service.close();
    await rm(home, { recursive: true });
  });
  beforeEach(async () => {
    vi.stubEnv("LADING_URL", service.url);
    folder = join(home, String(++number));
    await mkdir(join(folder, "images"), { recursive: true });
    await use(`pictures-${number}`);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  async function use(identifier: string) {
    tenant = identifier;
    client = await service.tenant(tenant);
    vi.stubEnv("LADING_ACCESS_TOKEN_ID", client.access.accessTokenId);
    vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", client.access.accessTokenSecret);
  }
  async function lading(...args: string[]) {
    const text = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof text) => ({ write: (chunk: string) => (text[name] += chunk) });
    const io = { stdout: sink("stdout"), stderr: sink("stderr"), stdin: {} };
    const code = await main([...args, "--no-interactive"], {
      ...io,
      interrupted: new AbortController().signal,
    });
    return { code, ...text };
  }
  const put = (path: string, content: Buffer | string) => writeFile(join(folder, path), content);
  async function write(operations: readonly object[], name = "shop.json") {
    await put(name, JSON.stringify(file(operations)));
    return join(folder, name);
  }
  async function writePictures() {
    for (let i = 0; i < pictures; i++) await put(`images/${i}.png`, png(2, 2, 100 * number + i, 300));
    return write(Array.from({ length: pictures }, (_, i) => register(`./images/${i}.png`, `i${i}`)));
  }
  /** Counts the requests of the CLI that match. */
  function watch(pattern: RegExp, meanwhile: () => Promise<void> = async () => {}) {
    const { fetch } = globalThis;
    const seen: string[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
      if (pattern.test(String(init?.body))) {
        seen.push(String(init?.body));
        await meanwhile();
      }
      return fetch(url, init);
    });
    return seen;
  }
  const imagesOf = async () => {
    const { images } = await client.graphql<{ images: { edges: { node: Record<string, string> }[] } }>(
      "{ images(first: 1000) { ... on ImageConnection { edges { node { key url resourceIdentifier } } } ... on BasicError { error errorName } } }",
    );
    return images.edges.map(({ node }) => node);
  };

  async function limitUploads(bytes: number) {
    const answer = await fetch(`${service.url}/operator`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${service.operatorToken}` },
      body: JSON.stringify({
        query: `mutation { updateTenant(identifier: "${tenant}", input: { uploadMaxBytes: ${bytes} }) { ... on Tenant { name } ... on BasicError { error errorName } } }`,
      }),
    });
    expect(await answer.json()).toMatchObject({ data: { updateTenant: { name: tenant } } });
  }

  test("a missing picture is named, and nothing is sent, with run, plan and apply", async () => {
    await write([register("./images/a.png")], "001.json");
    const sent = watch(/RequestUpload|StoredPictures|CreateTask/);
    for (const command of [
      ["mass-operation", "run", tenant, join(folder, "001.json")],
      ["mass-operation", "plan", tenant, join(folder, "001.json")],
      ["apply", tenant, folder],
    ]) {
      const { code, stdout } = await lading(...command);
      expect([code, stdout]).toEqual([2, expect.stringContaining('the picture "./images/a.png"')]);
    }
    expect(sent).toEqual([]);
  });

  test("a picture that changes while it is sent is named, and nothing is started", async () => {
    const path = await writePictures();
    const sent = watch(/RequestUpload|CreateTask/, () => put("images/3.png", png(2, 2, 1, 300)));
    const { code, stderr } = await lading("mass-operation", "run", tenant, path);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "the picture ./images/3.png was changed while this command read it. Nothing was started",
    );
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((body) => body.includes("CreateTask"))).toEqual([]);
    vi.restoreAllMocks();
    expect(await lading("mass-operation", "run", tenant, path)).toMatchObject({ code: 0 });
  });

  test("a picture larger than the tenant's limit is named, and nothing is sent", async () => {
    const path = await writePictures();
    await put("images/4.png", png(2, 2, 1, 2_000));
    await limitUploads(1_999);
    const sent = watch(/RequestUpload/);
    const { code, stderr } = await lading("mass-operation", "run", tenant, path);
    expect([code, sent]).toEqual([1, []]);
    expect(stderr).toContain("the picture ./images/4.png has 2,000 bytes; the tenant's limit is 1,999");
  });

  test.skipIf(process.getuid?.() === 0)("a picture that may not be read is named", async () => {
    const path = await writePictures();
    await chmod(join(folder, "images/4.png"), 0o000);
    const { code, stdout } = await lading("mass-operation", "run", tenant, path);
    expect([code, stdout]).toEqual([2, expect.stringContaining('"./images/4.png" cannot be read')]);
  });

  test("pictures are sent once, whatever uses them, and the file as it is", async () => {
    const path = await writePictures();
    const sent = watch(/RequestUpload.*"MEDIA"/);
    const planned = await lading("mass-operation", "plan", tenant, path, "--json");
    expect(sent).toHaveLength(pictures);
    const plan = JSON.parse(planned.stdout).task;
    expect(plan.progress.created).toBe(pictures);
    await rm(join(folder, "images"), { recursive: true });
    expect(await lading("mass-operation", "run", tenant, path, "--plan", plan.id)).toMatchObject({ code: 0 });
    await mkdir(join(folder, "images"));
    await writePictures();
    const again = await lading("mass-operation", "run", tenant, path);
    expect(again.stderr).toContain(`Sent 0 pictures; the service had ${pictures} already.`);
    expect(again.stdout).toContain(`${pictures} unchanged`);
    expect(sent).toHaveLength(pictures);
    const images = await imagesOf();
    expect(images).toHaveLength(pictures);
    for (const { url, resourceIdentifier } of images)
      expect(Buffer.from(await (await fetch(url!)).bytes())).toEqual(
        await readFile(join(folder, "images", `${resourceIdentifier!.slice(1)}.png`)),
      );
  });

  test("a retry has the pictures, and apply counts the file, not its pictures", async () => {
    await put("images/a.png", png(1, 1, 1_000 * number));
    const customer = { identifier: "ann", firstName: '{{ upload "./images/a.png" }}' };
    const path = await write([{ intent: "customer/update", ...customer }], "001.json");
    const { code, stdout } = await lading("mass-operation", "run", tenant, path, "--json");
    expect(code).toBe(4);
    const failed = JSON.parse(stdout).task.id;
    const ann = await write([{ intent: "customer/create", ...customer, firstName: "Ann" }], "000.json");
    await lading("mass-operation", "run", tenant, ann);
    await rm(join(folder, "images/a.png"));
    expect(await lading("mass-operation", "retry", failed, "--tenant", tenant)).toMatchObject({ code: 0 });

    await rm(join(folder, "000.json"));
    await put("images/a.png", png(1, 1, 1_000 * number));
    expect(await lading("apply", tenant, folder)).toMatchObject({ code: 0 });
    await put("images/a.png", png(1, 1, 1_000 * number + 1));
    expect((await lading("apply", tenant, folder)).stdout).toContain(
      "Nothing to run; all files are applied.",
    );
  });

  test("commands at the same time may both send a picture, and both runs succeed", async () => {
    await put("images/a.png", png(1, 1, 1_000 * number));
    const path = await write([register("./images/a.png")]);
    const runs = await Promise.all([1, 2].map(() => lading("mass-operation", "run", tenant, path)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  });

  test("a reader may not ask which pictures there are", async () => {
    const reader = await clientWithRole(service, client, "reader");
    const query = `{ storedPictures(sha256: ["${"0".repeat(64)}"]) { key } }`;
    await expect(reader.graphql(query)).rejects.toThrow("the list of stored pictures needs the role admin");
    expect(await client.graphql(query)).toEqual({ storedPictures: [] });
  });

  test("image upload registers the images of a folder, and writes their keys", async () => {
    await writePictures();
    await mkdir(join(folder, "images/deep"));
    await put("images/deep/copy.png", await readFile(join(folder, "images/1.png")));
    await put("images/readme.txt", "text");
    await put("images/~$list.xlsx", "text");
    await put("images/.hidden.png", png(1, 1));
    const map = join(folder, "map.json");
    const upload = (...flags: string[]) =>
      lading("image", "upload", tenant, join(folder, "images"), "--map", map, ...flags);
    const { code, stderr } = await upload();
    expect(code).toBe(0);
    for (const other of ["readme.txt", "~$list.xlsx"])
      expect(stderr).toContain(`Left out: the picture "./${other}" is not an image`);
    const keys: Record<string, string> = JSON.parse(await readFile(map, "utf8"));
    expect(Object.keys(keys)).toHaveLength(pictures + 1);
    expect(keys["./deep/copy.png"]).toBe(keys["./1.png"]);
    expect((await imagesOf()).map(({ key }) => key).sort()).toEqual([...new Set(Object.values(keys))].sort());
    expect(await upload()).toMatchObject({ code: 1, stderr: expect.stringContaining("--force replaces it") });
    const again = await upload("--force");
    expect(again.stderr).toContain(`Sent 0 pictures; the service had ${pictures} already.`);
    expect(JSON.parse(await readFile(map, "utf8"))).toEqual(keys);
  });

  test("image upload refuses a folder that is none, and a name that no path may have", async () => {
    const upload = (path: string) =>
      lading("image", "upload", tenant, path, "--map", join(folder, "map.json"));
    expect((await upload(join(folder, "none"))).stderr).toContain("there is no folder");
    await put("images/a%20b.png", png(1, 1));
    expect((await upload(join(folder, "images"))).stderr).toContain(
      'the picture "./a%20b.png" may not be percent-encoded',
    );
  });

  test("image upload sends nothing if the last of many images is too large", async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `images/${String(i).padStart(4, "0")}.png`);
    await Promise.all(names.map((name, i) => put(name, png(1, 1, i))));
    await put("images/z.png", png(2, 2, 1, 2_000));
    await limitUploads(1_999);
    const sent = watch(/RequestUpload/);
    const { code, stderr } = await lading(
      ...["image", "upload", tenant, join(folder, "images"), "--map", join(folder, "map.json")],
    );
    expect([code, sent]).toEqual([1, []]);
    expect(stderr).toContain("Nothing was sent.");
  });

  describe("a dump with its images", () => {
    const shape = {
      ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
      components: [{ id: "photos", name: "Photos", type: "images" }],
    };
    const tricky = '{{!}}\\{{ upload "./images/1.png" }}';
    const product = (i: number) => ({
      ...{ intent: "product/upsert", language: "en", shapeIdentifier: "tea", externalReference: `p${i}` },
      name: i === 0 ? tricky : `Tea ${i}`,
      variants: [
        { sku: `p${i}`, name: "Tea", isDefault: true, images: [{ key: `{{ upload "./images/${i}.png" }}` }] },
      ],
      components: [
        { componentId: "photos", images: [{ key: '{{ upload "./images/1.png" }}', altText: "A" }] },
      ],
    });
    const dump = (...flags: string[]) =>
      lading(
        "tenant",
        "dump",
        tenant,
        join(folder, "dump.json"),
        "--images",
        join(folder, "dumped"),
        ...flags,
      );
    async function fill() {
      await writePictures();
      const path = await write([shape, ...Array.from({ length: pictures }, (_, i) => product(i))]);
      const { code, stdout } = await lading("mass-operation", "run", tenant, path);
      expect([code, stdout]).toEqual([0, expect.anything()]);
    }
    const digests = async (of: string) => {
      const files = await readdir(join(folder, of), { recursive: true, withFileTypes: true });
      const contents = files
        .filter((each) => each.isFile())
        .map(async ({ parentPath, name }) => [
          name,
          createHash("sha256")
            .update(await readFile(join(parentPath, name)))
            .digest("hex"),
        ]);
      return (await Promise.all(contents)).sort();
    };

    test("has the same bytes in another tenant, and is equal to that tenant's", async () => {
      await fill();
      const { code, stdout } = await dump();
      expect([code, stdout]).toEqual([0, expect.stringContaining(`, ${pictures} images`)]);
      expect(await digests("dumped")).toEqual(await digests("images"));
      await use(`${tenant}-copy`);
      expect(await lading("mass-operation", "run", tenant, join(folder, "dump.json"))).toMatchObject({
        code: 0,
      });
      const served = (await imagesOf()).map(async ({ url, key }) => [
        basename(key!),
        createHash("sha256")
          .update(await (await fetch(url!)).bytes())
          .digest("hex"),
      ]);
      expect((await Promise.all(served)).sort()).toEqual(await digests("images"));
      const diff = await lading("tenant", "diff", tenant, join(folder, "dump.json"), "-");
      expect(diff.stderr).toContain("0 operations to make");
    });

    test("does not read images again that are there, but replaces those that differ", async () => {
      await fill();
      await dump();
      const [name = ""] = (await readdir(join(folder, "dumped"), { recursive: true })).filter((each) =>
        each.endsWith("1.png"),
      );
      await put(join("dumped", name), "broken");
      const read = watch(/^undefined$/);
      expect(await dump("--force")).toMatchObject({ code: 0 });
      // The dump and the image.
      expect(read).toHaveLength(2);
      expect(await digests("dumped")).toEqual(await digests("images"));
    });

    test("names an image that cannot be read, and ends with code 4", async () => {
      await fill();
      const { fetch } = globalThis;
      vi.spyOn(globalThis, "fetch").mockImplementation((url, init) =>
        String(url).endsWith("/3.png")
          ? Promise.resolve(Response.json({ message: "gone" }, { status: 404 }))
          : String(url).endsWith("/4.png")
            ? Promise.resolve(new Response("other bytes"))
            : fetch(url, init),
      );
      const { code, stderr, stdout } = await dump();
      expect(code).toBe(4);
      expect(stderr).toMatch(/not written: \.\/dumped\/[0-9a-f]{32}\/3\.png: gone/);
      expect(stderr).toMatch(
        /not written: \.\/dumped\/[0-9a-f]{32}\/4\.png: its SHA-256 is [0-9a-f]{64}, not /,
      );
      expect(stderr).toContain("2 images could not be read; the file names them.");
      expect(stdout).toContain(`, ${pictures - 2} images`);
      expect((await digests("dumped")).map(([name]) => name)).not.toContain("4.png");
    });

    test("refuses a folder that cannot be made, before it writes anything", async () => {
      await put("dumped", "a file");
      expect(await dump()).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot write ") });
      expect(await readdir(folder)).not.toContain("dump.json");
    });

    test("ends with the reason when an image cannot be written", async () => {
      await fill();
      const [image] = await imagesOf();
      const [, , id] = image!.key!.split("/");
      await mkdir(join(folder, "dumped"));
      await put(`dumped/${id}`, "a file");
      const { code, stderr } = await dump();
      expect([code, stderr]).toEqual([1, expect.stringMatching(`cannot write .*/dumped/${id}`)]);
      await rm(join(folder, "dumped", id!));
      await mkdir(join(folder, "dumped", id!, basename(image!.key!)), { recursive: true });
      const second = await dump("--force");
      expect([second.code, second.stderr]).toEqual([
        1,
        expect.stringMatching(`cannot write .*/dumped/${id}`),
      ]);
    });

    test("reports an image that is not registered, whose key stays", async () => {
      const key = await client.upload(new Blob([new Uint8Array(png(1, 1, 1_000 * number))]), "MEDIA");
      const tea = {
        ...product(1),
        components: [],
        variants: [{ sku: "p1", name: "Tea", isDefault: true, images: [{ key }] }],
      };
      await lading("mass-operation", "run", tenant, await write([shape, tea]));
      const { stdout, stderr } = await dump();
      expect(stdout).toContain(", 0 images");
      expect(stderr).toContain(
        `not restored, once: an image that is not registered; its key means nothing in another tenant (${key})`,
      );
      expect(await readFile(join(folder, "dump.json"), "utf8")).toContain(`"${key}"`);
    });

    test("refuses a folder that the file cannot name", async () => {
      const refused = async (...args: string[]) => (await lading("tenant", "dump", tenant, ...args)).stderr;
      expect(await refused("--images", folder)).toContain("--images needs a file to write");
      const path = join(folder, "dump.json");
      for (const images of [home, folder, join(folder, "a%20b"), join(folder, "a b"), join(folder, '"')])
        expect(await refused(path, "--images", images)).toContain("it must be a folder within");
    });
  });
});

import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startIdentityProvider } from "../../../test/support/servers/identity-provider.ts";
import { startS3 } from "../../../test/support/servers/s3.ts";
import type { S3Options } from "../../service/src/settings/settings.ts";
import { openS3Store, s3Bucket } from "../../service/src/uploads/s3-store.ts";
import { cleanEnvironment, lading } from "./support/lading.ts";
import { data, type Reply, scriptedService, unusedUrl } from "./support/scripted-service.ts";

let folder: string;
beforeEach(async () => {
  folder = await cleanEnvironment();
});

const examine = async (url: string, dataDir = folder) =>
  (await lading(["doctor", "--url", url, "--data-dir", dataDir])).stdout;

test("doctor finds secrets that others may read, and a folder that does not exist yet", async () => {
  const url = await unusedUrl();
  await writeFile(join(folder, "signing-key"), "shh");
  await chmod(join(folder, "signing-key"), 0o644);
  const stdout = await examine(url);
  expect(stdout).toMatch(/^problem +signing-key .*can be read by others: chmod 600/m);
  expect(stdout).not.toContain("shh");
  expect(await examine(url, join(folder, "new"))).toMatch(/^ok +data folder .*does not exist yet/m);
});

test.skipIf(process.getuid?.() === 0)("doctor finds a folder without rights (not as root)", async () => {
  const dataDir = join(folder, "closed");
  await mkdir(dataDir, { mode: 0o500 });
  expect(await examine(await unusedUrl(), dataDir)).toMatch(/^problem +data folder .*may not write to it/m);
});

test("doctor separates and aligns its columns", async () => {
  const lines = (await examine(await unusedUrl())).trimEnd().split("\n");
  const columns = lines.map((line) => /^(?:ok|note|problem) +(?:\S| (?! ))+ {2,}/.exec(line)?.[0].length);
  expect(columns).toEqual(lines.map(() => columns[0]));
  expect(columns[0]).toBeGreaterThan("problem  ".length);
});

test("doctor measures the free space against the reserve", async () => {
  const url = await unusedUrl();
  expect(await examine(url)).toMatch(/^(ok|note) +disk +\d+ MiB are free/m);
  vi.stubEnv("LADING_DISK_RESERVE", String(2 ** 40));
  expect(await examine(url)).toMatch(/^problem +disk .*less than LADING_DISK_RESERVE, nothing is written/m);
});

test("doctor names a secret's file that cannot be read", async () => {
  vi.stubEnv("LADING_OPERATOR_TOKEN_FILE", join(folder, "absent"));
  vi.stubEnv("LADING_DATABASE_URL_FILE", join(folder, "absent"));
  const stdout = await examine(await unusedUrl());
  expect(stdout).toMatch(/^problem +environment .*_FILE names .*absent, which cannot be read \(ENOENT\)/m);
});

test.each([
  [0, /^ok +clock +agrees/m],
  [-20_000, /^note +clock +differs by (19|20) s/m],
  [3_600_000, /^problem +clock +differs by (3600|3599) s .*NTP/m],
])("doctor compares the clocks: %i ms", async (ahead, expected) => {
  const headers = { date: new Date(Date.now() + ahead).toUTCString() };
  const service = await scriptedService({ Health: () => ({ headers, body: { status: "ready" } }) });
  expect(await examine(service.url)).toMatch(expected);
});

test.each([
  [
    'lading_build_info{version="9.9.9",node="24.0.0"} 1',
    /^note +version +the service runs 9\.9\.9, this command/m,
  ],
  ["", /^(?![\s\S]*version )/],
  ['lading_build_info{version="<script>",node="1"} 1', /^(?![\s\S]*script)/],
])("doctor compares the versions: %s", async (text, expected) => {
  const replies = [{ body: { status: "ready" } }, { type: "text/plain", body: text }];
  const service = await scriptedService({ Health: () => replies.shift() ?? { body: {} } });
  expect(await examine(service.url)).toMatch(expected);
});

test("doctor names the version of the database's server, and a newer one that is known", async () => {
  const url = await unusedUrl();
  await mkdir(join(folder, "database", "postgresql"), { recursive: true });
  await writeFile(join(folder, "database", "postgresql", "PG_VERSION"), "15\n");
  const programs = join(folder, "programs");
  await mkdir(programs);
  const versions = ["15.18", "15.99"].map(async (version) => {
    const bin = join(programs, version);
    await mkdir(bin);
    await writeFile(join(bin, "postgres"), `#!/bin/sh\necho "postgres (PostgreSQL) ${version}"\n`, {
      mode: 0o755,
    });
    return bin;
  });
  const [older = "", newest = ""] = await Promise.all(versions);
  vi.stubEnv("LADING_POSTGRES_BIN", older);
  expect(await examine(url)).toMatch(
    /^note +postgresql +version 15\.18; 15\.\d+ fixes bugs.* with LADING_POSTGRES_BIN/m,
  );
  vi.stubEnv("LADING_POSTGRES_BIN", newest);
  expect(await examine(url)).toMatch(/^ok +postgresql +version 15\.99$/m);
});

test("doctor names programs of PostgreSQL that cannot make the database", async () => {
  const url = await unusedUrl();
  vi.stubEnv("LADING_POSTGRES_BIN", join(folder, "programs"));
  expect(await examine(url)).toMatch(
    /^problem +database +LADING_POSTGRES_BIN names no PostgreSQL that can be used/m,
  );
  vi.stubEnv("LADING_ENGINE", "pglite");
  expect(await examine(url)).not.toMatch(/^\w+ +database /m);
});

describe("the access token of the environment", () => {
  const accessToken = { name: "ci", role: "admin", expiresAt: null };
  const accepted = data({ tenant: {}, accessToken });
  const refused = { status: 401, body: { message: "The access token is not valid." } };

  async function examined(secret: string, answer: Reply, tenant?: string): Promise<string> {
    const { url } = await scriptedService({ WhoAmI: () => answer });
    vi.stubEnv("LADING_ACCESS_TOKEN_ID", "id");
    vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", secret);
    vi.stubEnv("LADING_TENANT", tenant);
    return examine(url);
  }

  test.each([
    [
      "refused",
      "secret",
      refused,
      "acme",
      /^problem +LADING_ACCESS_TOKEN_ID .*\/@acme refused the token: The/m,
    ],
    ["accepted", "secret", accepted, "acme", /^ok +LADING_ACCESS_TOKEN_ID +admin token "ci" of acme$/m],
    [
      "of no known tenant",
      "secret",
      accepted,
      undefined,
      /^note +LADING_ACCESS_TOKEN_ID .* with LADING_TENANT$/m,
    ],
    ["half", "", accepted, "acme", /^problem +LADING_ACCESS_TOKEN_ID .*id without its secret/m],
  ])("is checked: %s", async (_case, secret, answer, tenant, expected) => {
    expect(await examined(secret, answer, tenant)).toMatch(expected);
  });
});

test("doctor reaches the identity provider, and compares its issuer", async () => {
  const url = await unusedUrl();
  expect(await examine(url)).not.toContain("identity provider");
  const idp = await startIdentityProvider("http://localhost");
  const withIssuer = (issuer: string) => {
    vi.stubEnv("LADING_OIDC_ISSUER", issuer);
    return examine(url);
  };
  vi.stubEnv("LADING_OIDC_CLIENT_ID", "lading");
  vi.stubEnv("LADING_OIDC_CLIENT_SECRET", "shh");
  expect(await withIssuer(idp.issuer)).toMatch(/^ok +identity provider +http:\S+ answers/m);
  const { port } = new URL(idp.issuer);
  expect(await withIssuer(`http://localhost:${port}`)).toMatch(
    new RegExp(`^problem +identity provider .*its issuer is ${idp.issuer}`, "m"),
  );
  await idp.close();
  const stdout = await withIssuer(idp.issuer);
  expect(stdout).toMatch(/^problem +identity provider .*ECONNREFUSED/m);
  expect(stdout).not.toContain("shh");
});

describe("the object store", () => {
  const bucketIsEmpty = async (options: S3Options) =>
    (await Array.fromAsync((await openS3Store(s3Bucket(options))).list(""))).length === 0;

  async function examined(options: S3Options, uploads?: string): Promise<string> {
    vi.stubEnv("LADING_S3_BUCKET", options.bucket);
    vi.stubEnv("LADING_S3_ENDPOINT", options.endpoint);
    vi.stubEnv("LADING_S3_ACCESS_KEY_ID", options.accessKeyId);
    vi.stubEnv("LADING_S3_SECRET_ACCESS_KEY", options.secretAccessKey);
    vi.stubEnv("LADING_S3_UPLOADS", uploads);
    return (await examine(await unusedUrl())).split("\n").find((line) => line.includes("object store")) ?? "";
  }

  async function store(uploading: Parameters<typeof startS3>[0]): Promise<S3Options> {
    const s3 = await startS3(uploading);
    onTestFinished(() => s3.close());
    return s3.options;
  }

  test("is not examined without a bucket", async () => {
    expect(await examine(await unusedUrl())).not.toContain("object store");
  });

  test.each([
    [
      "there is no bucket",
      {},
      "absent",
      /^problem +object store +the bucket absent cannot be used \(404 .*create it/,
    ],
    [
      "forms are not taken",
      { takesForms: false },
      "",
      /^problem .* does not take a presigned form \(501 NotImplemented\): .*set LADING_S3_UPLOADS=put/,
    ],
  ] as const)("is a problem if %s", async (_what, uploading, bucket, expected) => {
    const options = await store(uploading);
    const line = await examined(bucket === "" ? options : { ...options, bucket });
    expect(line).toMatch(expected);
  });

  test.each(["post", "put"])(
    "is a problem if it takes what was not signed (%s), and is left empty",
    async (uploads) => {
      const options = await store({});
      expect(await examined(options, uploads)).toMatch(
        /^problem +object store .*takes a larger file than was signed/,
      );
      expect(await bucketIsEmpty(options)).toBe(true);
    },
  );

  test.each([
    ["post", {}],
    ["put", { takesForms: false }],
  ])(
    "is fine if it takes what was signed (%s) and nothing else, and is left empty",
    async (uploads, more) => {
      const options = await store({ isStrict: true, ...more });
      expect(await examined(options, uploads)).toMatch(
        /^ok +object store +bucket-1 takes uploads, and refuses a larger/,
      );
      expect(await bucketIsEmpty(options)).toBe(true);
    },
  );

  test("is a problem if it refuses the signature", async () => {
    const options = await store({ isStrict: true });
    expect(await examined({ ...options, secretAccessKey: "wrong" }, "put")).toMatch(
      /^problem +object store .* does not take a presigned PUT \(403 SignatureDoesNotMatch\)$/,
    );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkOptions, serviceOptions, unknownVariables } from "../../src/settings/options.ts";
import { allSettings, type ServiceOptions } from "../../src/settings/settings.ts";

const s3 = { LADING_S3_BUCKET: "b" };

describe("options", () => {
  test.each<[ServiceOptions, RegExp]>([
    [{ imageFetches: 0 }, /imageFetches is 0; it must be a whole number from 1 to 1000/],
    [{ lease: 999_999_999_999 }, /lease is 999999999999; it must be a whole number from 1000 to /],
    [{ lease: 1_000.5 }, /lease is 1000.5/],
    [{ port: Number.NaN }, /port is null/],
    [
      { imageHosts: ["cdn.internal", "http://cdn.internal"] },
      /imageHosts is \["cdn.internal","http:\/\/cdn.internal"\]; it must be a list of hosts/,
    ],
    [{ imageHosts: ["cdn.internal:8080"] }, /without protocol, port or path/],
    [{ imageHosts: [""] }, /imageHosts is \[""\]/],
    [{ publicUrl: "javascript:alert(1)" }, /publicUrl is "javascript:alert\(1\)"; it must be an http:/],
    [{ role: "api" }, /role api needs a database URL/],
    [{ s3: { bucket: "b", endpoint: "s3.example" } }, /s3.endpoint is "s3.example"/],
  ])("the options %j are refused", (options, message) => {
    expect(() => checkOptions(options)).toThrow(message);
  });

  test("options take hosts by name and by address", () => {
    const environment = {
      LADING_IMAGE_HOSTS: "cdn.internal, 10.0.0.7,[::1],fd00::7",
      LADING_IMAGE_FETCHES: "3",
    };
    const options = serviceOptions(environment);
    expect(options.imageHosts).toEqual(["cdn.internal", "10.0.0.7", "[::1]", "fd00::7"]);
    expect(options.imageFetches).toBe(3);
    checkOptions(options);
  });
});

describe("options from the environment", () => {
  test.each([
    [{ LADING_PORT: "x" }, /LADING_PORT is "x"; it must be a whole number from 0 to 65535/],
    [{ LADING_PORT: "65536" }, /LADING_PORT is 65536/],
    [{ LADING_LEASE_MS: "999999999999" }, /LADING_LEASE_MS is 999999999999; .* from 1000 to /],
    [{ LADING_SLOTS: "0" }, /LADING_SLOTS is 0; .* from 1 to /],
    [{ LADING_RETENTION_DAYS: "99999999999" }, /LADING_RETENTION_DAYS is 99999999999/],
    [
      { LADING_PUBLIC_URL: "javascript:alert(1)" },
      /LADING_PUBLIC_URL is "javascript:.*an http:\/\/ or https/,
    ],
    [{ LADING_PUBLIC_URL: "https://shop.example?a" }, /LADING_PUBLIC_URL is .* without a query/],
    [
      { LADING_DATABASE_URL: "mysql://u:secret@host/db" },
      /^LADING_DATABASE_URL is wrong: it does not begin with postgres:/,
    ],
    [{ LADING_LOG_LEVEL: "loud" }, /LADING_LOG_LEVEL is "loud"; it must be one of trace, /],
    [{ LADING_ROLE: "boss" }, /LADING_ROLE is "boss"; it must be one of all, api, runner/],
    [{ LADING_CORS_ORIGINS: "https://shop.example/path" }, /LADING_CORS_ORIGINS is .* without a path/],
    [{ LADING_TRUSTED_PROXIES: "10.0.0.0/99" }, /LADING_TRUSTED_PROXIES is .* such as 10.0.0.7 or 10/],
    [{ LADING_HEADER_WORDS: "a b" }, /LADING_HEADER_WORDS is .* letters, digits and dashes/],
    [{ LADING_S3_ENDPOINT: "http://s3" }, /LADING_S3_BUCKET is missing/],
    [{ ...s3, LADING_S3_PATH_STYLE: "yes" }, /LADING_S3_PATH_STYLE is "yes"; it must be true or false/],
    [{ ...s3, LADING_S3_UPLOADS: "PUT" }, /LADING_S3_UPLOADS is "PUT"; it must be one of post, put/],
    [{ LADING_S3_UPLOADS: "put" }, /LADING_S3_BUCKET is missing/],
    [{ ...s3, LADING_S3_ACCESS_KEY_ID: "id" }, /both LADING_S3_ACCESS_KEY_ID and LADING_S3_SECRET/],
  ])("the environment %j is refused", (environment, message) => {
    let told = "";
    try {
      serviceOptions(environment);
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toMatch(message);
    expect(told).not.toContain("secret@");
  });

  test("the environment may set every setting", () => {
    const environment = {
      LADING_PORT: "0",
      LADING_PUBLIC_URL: "https://shop.example/base/",
      LADING_DATABASE_URL: "postgresql://u:p%40ss@[::1]:5432/db?sslmode=require",
      LADING_CORS_ORIGINS: "*, https://shop.example:8443",
      LADING_TRUSTED_PROXIES: "loopback, 10.0.0.7,10.0.0.0/8, fd00::/8",
      LADING_HEADER_WORDS: "Service, My-Shop",
    };
    const options = serviceOptions(environment);
    expect(options).toEqual({
      port: 0,
      publicUrl: "https://shop.example/base/",
      databaseUrl: environment.LADING_DATABASE_URL,
      corsOrigins: ["*", "https://shop.example:8443"],
      trustedProxies: ["loopback", "10.0.0.7", "10.0.0.0/8", "fd00::/8"],
      headerWords: ["Service", "My-Shop"],
    });
    checkOptions(options);
  });

  test("the store is the data folder unless the environment names a bucket", () => {
    expect(serviceOptions({ LADING_S3_BUCKET: "" }).s3).toBeUndefined();
    expect(serviceOptions(s3).s3).toEqual({ bucket: "b" });
    expect(
      serviceOptions({ ...s3, LADING_S3_PATH_STYLE: "false", LADING_S3_REGION: "eu-north-1" }).s3,
    ).toEqual({ bucket: "b", region: "eu-north-1", pathStyle: false });
    expect(serviceOptions({ ...s3, LADING_S3_UPLOADS: "put" }).s3).toEqual({ bucket: "b", uploads: "put" });
  });
});

test("the default of each setting is a value that it accepts", () => {
  for (const { variable, kind, default: value } of allSettings)
    if (value !== undefined) expect(kind.accepts(value), variable).toBe(true);
});

test("the warning about an unknown variable names the nearest known one", () => {
  const environment = {
    LADING_SLOT: "1",
    LADING_XYZZY: "1",
    LADING_EMPTY: "",
    LADING_PORT: "1",
    LADING_TENANT: "shop",
    OTHER: "1",
  };
  expect(unknownVariables(environment, ["LADING_TENANT"])).toEqual([
    'LADING_SLOT is not a setting and has no effect; did you mean "LADING_SLOTS"?',
    "LADING_XYZZY is not a setting and has no effect",
  ]);
});

describe("a secret from a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "lading-secrets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test.each([
    [
      "that is not there",
      "absent",
      undefined,
      /^LADING_SIGNING_KEY_FILE names .*absent, .*\(ENOENT\); name a/,
    ],
    ["that is empty", "empty", "\n", /^LADING_SIGNING_KEY_FILE names .*empty, which is empty; write/],
    ["that has two lines", "two", "secret-1\nsecret-2\n", /two, which has several lines; it must have one/],
    ["that is large", "large", "secret".repeat(20_000), /large, which is larger than 65536 bytes/],
  ])("%s is refused without showing it", (_, name, content, message) => {
    const path = content === undefined ? join(folder, name) : file(name, content);
    const read = () => serviceOptions({ LADING_SIGNING_KEY_FILE: path });
    expect(read).toThrow(message);
    expect(read).not.toThrow(/secret-|secretsecret/);
  });

  test.skipIf(process.platform === "win32")("is read no further than a secret is long", () => {
    expect(() => serviceOptions({ LADING_SIGNING_KEY_FILE: "/dev/zero" })).toThrow(
      "LADING_SIGNING_KEY_FILE names /dev/zero, which is larger than 65536 bytes",
    );
  });

  test("is refused together with the variable itself", () => {
    const environment = { LADING_OPERATOR_TOKEN: "one", LADING_OPERATOR_TOKEN_FILE: file("t", "two") };
    expect(() => serviceOptions(environment)).toThrow(
      "LADING_OPERATOR_TOKEN and LADING_OPERATOR_TOKEN_FILE are both set; set one of them",
    );
  });

  test("is checked like the variable, which the message names", () => {
    const wrong = { LADING_DATABASE_URL_FILE: file("url", "mysql://u:secret@host/db") };
    expect(() => serviceOptions(wrong)).toThrow(/^LADING_DATABASE_URL is wrong: it does not begin with/);
    expect(() => serviceOptions(wrong)).not.toThrow(/secret/);
  });

  test("loses the line break at its end, and nothing else", () => {
    const environment = {
      LADING_OPERATOR_TOKEN_FILE: file("token", " a token \r\n"),
      LADING_DATABASE_URL_FILE: file("database", "postgres://u:p@host/db\n"),
      LADING_S3_BUCKET: "b",
      LADING_S3_ACCESS_KEY_ID: "id",
      LADING_S3_SECRET_ACCESS_KEY_FILE: file("s3", "key"),
    };
    expect(serviceOptions(environment)).toEqual({
      operatorToken: " a token ",
      databaseUrl: "postgres://u:p@host/db",
      s3: { bucket: "b", accessKeyId: "id", secretAccessKey: "key" },
    });
    expect(unknownVariables(environment, [])).toEqual([]);
  });

  test("is there for secrets only", () => {
    expect(unknownVariables({ LADING_PORT_FILE: "port" }, [])).toEqual([
      expect.stringContaining("LADING_PORT_FILE is not a setting"),
    ]);
  });
});

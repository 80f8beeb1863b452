import { describe, expect, test } from "vitest";
import { s3PutPresigner } from "../../src/uploads/s3-presign.ts";
import { s3Bucket } from "../../src/uploads/s3-store.ts";
import { type Api, useApi } from "../http/support.ts";

const failure = "... on BasicError { error errorName }";
const three = 'type: MASS_OPERATIONS, filename: "../My file.json", contentType: "application/json"';

const presigner = (api: Api) => (given: string) =>
  api.field(
    `mutation { generatePresignedUploadRequest(${given}) { ... on PresignedUploadRequest { method url fields { name value } maxSize lifetime } ${failure} } }`,
  );

const recorded = (api: Api) =>
  api.database.query("SELECT key FROM uploads WHERE tenant_id = $1", [api.shop.tenant.id]);

describe("generatePresignedUploadRequest", () => {
  const api = useApi();
  const presign = presigner(api);

  test("a presigned upload request refuses what is missing or given twice", async () => {
    const input = 'input: {type: MASS_OPERATIONS, filename: "f.json", contentType: "application/json"}';
    for (const [given, errorName, part] of [
      ['filename: "f.json", contentType: "c"', "ValidationError", '"type"'],
      ['type: MASS_OPERATIONS, contentType: "c"', "ValidationError", '"filename"'],
      ['type: MASS_OPERATIONS, filename: "", contentType: "c"', "ValidationError", '"filename"'],
      [`${input}, filename: "other"`, "ValidationError", "not both"],
    ])
      expect(await presign(given as string), given).toEqual({
        errorName,
        error: expect.stringContaining(part as string),
      });
    const typed = await api.ask(
      `mutation ($type: String!) { generatePresignedUploadRequest(type: $type, filename: "f", contentType: "c") {
        ... on PresignedUploadRequest { url } ${failure} } }`,
      { type: "SHIPS" },
    );
    expect(typed.body.data.generatePresignedUploadRequest.errorName).toBe("ValidationError");
  });

  test.each([
    ["size: 0", "a whole number of bytes, at least 1"],
    ["size: -5", "a whole number of bytes, at least 1"],
    ["size: 1.5", "a whole number of bytes, at least 1"],
    ["size: 1e300", "a whole number of bytes, at least 1"],
    ["size: 1073741825", "My file.json has 1073741825 bytes; the tenant's limit is 1073741824"],
    ["methods: [POST, PUT]", '"size" is missing: PUT needs it'],
    ["methods: [PUT], size: 5", 'takes files by POST only. If this client can, give "methods: [POST]", and'],
    ["methods: []", "takes files by POST only"],
  ])("a presigned upload request with %s is refused, and no file recorded", async (more, message) => {
    for (const given of [`${three}, ${more}`, `input: {${three}, ${more}}`])
      expect(await presign(given), given).toEqual({
        errorName: "ValidationError",
        error: expect.stringContaining(message),
      });
    expect(await recorded(api)).toEqual([]);
  });

  test("the file of a form is recorded with the form's expiry, unless it is of the type MEDIA", async () => {
    await presign('type: MEDIA, filename: "a.png", contentType: "image/png"');
    const { fields } = await presign(
      'type: MASS_OPERATIONS, filename: "f.json", contentType: "application/json"',
    );
    const select = `SELECT key,
      round(extract(epoch FROM form_expires_at - now()) / 60)::int AS minutes FROM uploads WHERE tenant_id = $1`;
    expect(await api.database.query(select, [api.shop.tenant.id])).toEqual([
      { key: fields[0].value, minutes: 15 },
    ]);
  });

  test("a presigned upload request returns a form with a key of the tenant, by input or arguments", async () => {
    const methods = "methods: [POST, PUT], size: 1073741824";
    for (const given of [three, `input: {${three}}`, `${three}, ${methods}`, `${three}, methods: null`]) {
      const { method, url, fields, maxSize, lifetime } = await presign(given);
      expect({ method, url, maxSize, lifetime }).toEqual({
        method: "POST",
        url: "https://shop.example/uploads",
        maxSize: 1024 ** 3,
        lifetime: 900,
      });
      const { key } = Object.fromEntries(
        fields.map(({ name, value }: { name: string; value: string }) => [name, value]),
      );
      expect(key).toMatch(new RegExp(`^${api.shop.tenant.id}/mass-operations/[0-9a-f]{32}/My-file.json$`));
    }
  });
});

describe("generatePresignedUploadRequest for a store that takes no form", () => {
  const endpoint = "https://store.example";
  const bucket = s3Bucket({ bucket: "b", endpoint, accessKeyId: "id", secretAccessKey: "secret" });
  const api = useApi({ presign: s3PutPresigner(bucket) });
  const presign = presigner(api);

  test.each([
    [
      "",
      'takes files by PUT only. If this client can, give "methods: [PUT]", with the "size" of the file, and upload',
    ],
    ["methods: null, size: 5", "takes files by PUT only"],
    ["methods: [POST], size: 5", "takes files by PUT only"],
    ["methods: [PUT]", '"size" is missing: PUT needs it'],
    ["methods: [PUT], size: 1073741825", "the tenant's limit is 1073741824"],
  ])("is refused to a client with %j, and no file recorded", async (more, message) => {
    expect(await presign(`${three}, ${more}`)).toEqual({
      errorName: "ValidationError",
      error: expect.stringContaining(message),
    });
    expect(await recorded(api)).toEqual([]);
  });

  test("answers a URL that is signed for the size, and the key alone", async () => {
    for (const methods of ["[PUT]", "[POST, PUT]", '["PUT"]']) {
      const { url, fields, ...others } = await presign(`${three}, size: 5, methods: ${methods}`);
      expect(others).toEqual({ method: "PUT", maxSize: 1024 ** 3, lifetime: 900 });
      expect(fields).toEqual([{ name: "key", value: expect.stringContaining("/mass-operations/") }]);
      const { pathname, searchParams } = new URL(url);
      expect(pathname).toBe(`/b/${fields[0].value}`);
      expect(searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host");
      expect(searchParams.get("X-Amz-Expires")).toBe("900");
      expect(await recorded(api)).toContainEqual({ key: fields[0].value });
    }
  });
});

import { afterEach, describe, expect, test } from "vitest";
import { opened } from "../../../../test/support/opened.ts";
import type { FormField } from "../../src/uploads/policy.ts";
import { textOf } from "./support/object-store-suite.ts";
import {
  boundary,
  credential,
  end,
  fieldParts,
  formData,
  part,
  send,
  sendRaw,
  startUploadServer,
} from "./support/upload-server.ts";

const server = opened(startUploadServer);

const changed = (fields: FormField[], name: string, value: string) =>
  fields.map((field) => (field.name === name ? { name, value } : field));

const otherKey = "75a1b2c3d4e5f60718293a4b/mass-operations/0123456789abcdef0123456789abcdef/shop.json";

describe("a refused upload", () => {
  afterEach(async () => {
    expect(await server.files()).toEqual([]);
  });

  test("an upload is refused when it comes too late", async () => {
    const { url, fields } = server.presign({ now: new Date(Date.now() - 60_000) });
    const answer = await send(url, formData(fields));
    expect(answer).toMatchObject({ status: 403, code: "AccessDenied" });
    expect(answer.message).toMatch(/Policy expired at .*; request a new upload/);
  });

  test("an upload is refused when its policy was changed", async () => {
    const { url, fields } = server.presign();
    const generous = server
      .presign({ maxBytes: 1_000_000 })
      .fields.find(({ name }) => name === "Policy")!.value;
    const answer = await send(url, formData(changed(fields, "Policy", generous)));
    expect(answer).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
  });

  test.each([
    ["another tenant's", otherKey, 403, "AccessDenied"],
    ["one outside of the store", "../../etc/passwd", 403, "AccessDenied"],
    ["empty", "", 403, "AccessDenied"],
  ])("an upload is refused when its key was changed to %s", async (_what, key, status, code) => {
    const { url, fields } = server.presign();
    expect(await send(url, formData(changed(fields, "key", key)))).toMatchObject({ status, code });
  });

  test.each(["../../etc/passwd", "/etc/passwd", "a/../../b", "a\\b", ".", "a b"])(
    "an upload is refused when the key that was signed is %j",
    async (key) => {
      const { url, fields } = server.presign({ key });
      expect(await send(url, formData(fields))).toMatchObject({ status: 400, code: "InvalidArgument" });
    },
  );

  test("an upload is refused when it was signed with another secret", async () => {
    const { url, fields } = server.presign({ credential: { ...credential, secret: "guessed" } });
    expect(await send(url, formData(fields))).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
  });

  test("an upload is refused when it has a field that the policy does not mention", async () => {
    const { url, fields } = server.presign();
    const answer = await send(url, formData([...fields, { name: 'x"<&>', value: "1" }]));
    expect(answer).toMatchObject({ status: 403, code: "AccessDenied" });
    expect(answer.message).toContain("x%22&lt;&amp;&gt;");
  });

  test("an upload is refused when a field is given twice", async () => {
    const { url, fields, key } = server.presign();
    const answer = await send(url, formData([...fields, { name: "KEY", value: key }]));
    expect(answer).toMatchObject({
      status: 400,
      code: "InvalidArgument",
      message: "A field is given twice.",
    });
  });

  test("an upload is refused when its file is one byte too large", async () => {
    const { url, fields } = server.presign({ maxBytes: 5 });
    const answer = await send(url, formData(fields, "123456"));
    expect(answer).toMatchObject({ status: 400, code: "EntityTooLarge" });
    expect(answer.message).toMatch(/larger than the 5 bytes/);
  });

  test("an upload is refused when its file is far too large, and the client gets the answer", async () => {
    const { url, fields } = server.presign({ maxBytes: 5 });
    const answer = await send(url, formData(fields, "x".repeat(20_000_000)));
    expect(answer).toMatchObject({ status: 400, code: "EntityTooLarge" });
  });

  test("an upload is refused when its file is empty", async () => {
    const { url, fields } = server.presign();
    expect(await send(url, formData(fields, ""))).toMatchObject({ status: 400, code: "EntityTooSmall" });
  });

  test("an upload is refused when it has no file", async () => {
    const { url, fields } = server.presign();
    const form = formData(fields);
    form.delete("file");
    const answer = await send(url, form);
    expect(answer).toMatchObject({ status: 400, code: "InvalidArgument" });
    expect(answer.message).toMatch(/no part named file/);
  });

  test("an upload is refused when the file comes first", async () => {
    const { url, fields } = server.presign();
    const answer = await sendRaw(
      url,
      `${part('name="file"; filename="a"', "{}")}${fieldParts(fields)}${end}`,
    );
    expect(answer).toMatchObject({ status: 400, code: "InvalidArgument" });
    expect(answer.message).toMatch(/no field key before the file/);
  });

  test("an upload is refused when the file comes before the last of the fields", async () => {
    const { url, fields } = server.presign();
    const body = `${fieldParts(fields.slice(0, -1))}${part('name="file"', "{}")}${fieldParts(fields.slice(-1))}${end}`;
    expect(await sendRaw(url, body)).toMatchObject({ status: 403, code: "AccessDenied" });
  });

  test("an upload is refused when it has two files", async () => {
    const { url, fields } = server.presign();
    const file = part('name="file"; filename="a"', "{}");
    const answer = await sendRaw(url, `${fieldParts(fields)}${file}${file}${end}`);
    expect(answer).toMatchObject({ status: 400, code: "InvalidArgument" });
    expect(answer.message).toMatch(/more than one part named file/);
  });

  test("an upload is refused when a field is too long", async () => {
    const { url, fields } = server.presign();
    const answer = await send(url, formData([{ name: "key", value: "x".repeat(20_001) }, ...fields]));
    expect(answer).toMatchObject({ status: 400, code: "MaxPostPreDataLengthExceeded" });
  });

  test("an upload is refused when it has too many fields", async () => {
    const { url, fields } = server.presign();
    const many = Array.from({ length: 21 }, (_, n) => ({ name: `field-${n}`, value: "" }));
    const answer = await send(url, formData([...many, ...fields]));
    expect(answer).toMatchObject({ status: 400, code: "MaxPostPreDataLengthExceeded" });
  });

  test("an upload is refused when it has more before the file than fields can have", async () => {
    const { url, fields } = server.presign();
    const answer = await sendRaw(
      url,
      `${"x".repeat(600_000)}\r\n${fieldParts(fields)}${part('name="file"', "{}")}${end}`,
    );
    expect(answer).toMatchObject({ status: 400, code: "MaxPostPreDataLengthExceeded" });
  });

  test("an upload is refused when its body ends in the middle of the file", async () => {
    const { url, fields } = server.presign();
    const answer = await sendRaw(url, `${fieldParts(fields)}${part('name="file"', "half")}`.slice(0, -2));
    expect(answer).toMatchObject({ status: 400, code: "MalformedPOSTRequest" });
  });

  test("an upload is refused when its body ends behind the file, but without the end of the form", async () => {
    const { url, fields } = server.presign();
    const answer = await sendRaw(
      url,
      `${fieldParts(fields)}${part('name="file"', "whole")}${part('name="x"', "")}`,
    );
    expect(answer).toMatchObject({ status: 400, code: "MalformedPOSTRequest" });
  });

  test.each([
    ["empty", ""],
    ["only text", "no form at all"],
    ["only a boundary", `--${boundary}`],
  ])("an upload is refused when its body is %s", async (_what, body) => {
    const answer = await sendRaw(server.presign().url, body);
    expect(answer).toMatchObject({
      status: 400,
      code: expect.stringMatching(/^(MalformedPOSTRequest|InvalidArgument)$/),
    });
  });

  test.each([
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/mixed; boundary=a",
    "nonsense",
  ])("an upload is refused when its content type is %s", async (type) => {
    const answer = await send(server.presign().url, "{}", { "content-type": type });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.code).toMatch(/^(MalformedPOSTRequest|InvalidRequest)$/);
  });
});

describe("an upload", () => {
  test("an upload is answered 201 with its location, key and etag, as S3 does", async () => {
    const { url, fields, key } = server.presign();
    const response = await fetch(url, { method: "POST", body: formData(fields, '{"version":"1.0.0"}') });
    const { etag } = (await server.store.stat(key))!;
    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toMatch(/^application\/xml/);
    expect(response.headers.get("etag")).toBe(`"${etag}"`);
    expect(response.headers.get("location")).toBe(`http://127.0.0.1/uploads/${key}`);
    expect(await response.text()).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse>\n  <Location>http://127.0.0.1/uploads/${key}</Location>\n` +
        `  <Bucket>uploads</Bucket>\n  <Key>${key}</Key>\n  <ETag>&quot;${etag}&quot;</ETag>\n</PostResponse>\n`,
    );
    expect(await textOf(server.store.read(key, { etag }))).toBe('{"version":"1.0.0"}');
  });

  test("an upload to a key that has a file is refused, and the first file is kept", async () => {
    const { url, fields, key } = server.presign();
    expect(await send(url, formData(fields, "first"))).toMatchObject({ status: 201 });
    const answer = await send(url, formData(fields, "second"));
    expect(answer).toMatchObject({ status: 409, code: "ObjectAlreadyExists" });
    expect(await textOf(server.store.read(key))).toBe("first");
  });

  test("one of ten concurrent uploads to the same key wins", async () => {
    const { url, fields, key } = server.presign({ maxBytes: 1_000_000 });
    const uploads = Array.from({ length: 10 }, (_, n) => send(url, formData(fields, `${n}`.repeat(500_000))));
    const answers = await Promise.all(uploads);
    const winner = answers.findIndex(({ status }) => status === 201);
    const losers = answers.filter((_, n) => n !== winner);
    expect(losers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(9).fill("409 ObjectAlreadyExists"),
    );
    expect(await textOf(server.store.read(key))).toBe(`${winner}`.repeat(500_000));
  });

  test("an upload may have a file of exactly the largest size", async () => {
    const { url, fields, key } = server.presign({ maxBytes: 5 });
    expect(await send(url, formData(fields, "12345"))).toMatchObject({ status: 201 });
    expect(await server.store.stat(key)).toMatchObject({ bytes: 5 });
  });

  test.each([
    ["none", 'name="file"', undefined],
    ["none, with a type", 'name="file"', "application/json"],
    ["an empty one and the type of bytes", 'name="file"; filename=""', "application/octet-stream"],
    ["blob", 'name="file"; filename="blob"', "application/octet-stream"],
    ["a path", 'name="file"; filename="../../etc/passwd"', "application/json"],
    [
      "one in another script",
      'name="file"; filename="x"; filename*=UTF-8\'\'%E2%82%AC',
      "text/plain; charset=utf-16",
    ],
    ["one without quotes, in a part named FILE", "name=FILE; filename=a", "image/png"],
  ])("an upload may have any filename: %s", async (_what, disposition, type) => {
    const { url, fields, key } = server.presign();
    const content = "{\r\n--not the boundary\r\n}\0\xff";
    const answer = await sendRaw(url, `${fieldParts(fields)}${part(disposition, content, type)}${end}`);
    expect(answer).toMatchObject({ status: 201 });
    expect(await textOf(server.store.read(key))).toBe(content);
  });

  test("an upload may have fields behind the file, which have no effect", async () => {
    const { url, fields, key } = server.presign();
    const behind = part('name="key"', otherKey) + part('name="submit"', "Upload");
    const answer = await sendRaw(url, `${fieldParts(fields)}${part('name="file"', "{}")}${behind}${end}`);
    expect(answer).toMatchObject({ status: 201 });
    expect(await server.store.stat(otherKey)).toBeUndefined();
    expect(await textOf(server.store.read(key))).toBe("{}");
  });

  test("an upload may have its fields in any order and case, and text around the form", async () => {
    const { url, fields, key } = server.presign();
    const shuffled = fields.toReversed().map(({ name, value }) => ({ name: name.toUpperCase(), value }));
    const body = `before\r\n${fieldParts(shuffled)}${part('name="file"', "{}")}${end}behind`;
    expect(await sendRaw(url, body)).toMatchObject({ status: 201 });
    expect(await textOf(server.store.read(key))).toBe("{}");
  });
});

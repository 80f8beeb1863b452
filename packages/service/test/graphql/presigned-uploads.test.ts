import { describe, expect, test } from "vitest";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { error errorName }";

describe("generatePresignedUploadRequest", () => {
  const api = useApi();

  const presign = (given: string) =>
    api.field(
      `mutation { generatePresignedUploadRequest(${given}) { ... on PresignedUploadRequest { url fields { name value } maxSize lifetime } ${failure} } }`,
    );

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
    const three = 'type: MASS_OPERATIONS, filename: "../My file.json", contentType: "application/json"';
    for (const given of [three, `input: {${three}}`]) {
      const { url, fields, maxSize, lifetime } = await presign(given);
      expect({ url, maxSize, lifetime }).toEqual({
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

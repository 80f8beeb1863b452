import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService } from "../support/service.ts";

interface Field {
  name: string;
  value: string;
}
let owner: TenantClient;
let stranger: TenantClient;
let stored: string[];

const filesOf = () =>
  readdirSync(join(service.dataDir, "uploads"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();

const service = opened(() => openService("postgresql"));
beforeAll(async () => {
  owner = await service.tenant("owner");
  stranger = await service.tenant("stranger");
  await owner.upload(new Blob(['{"version": "1.0.0", "operations": []}']));
  stored = filesOf();
});

async function requestUpload(by: TenantClient, filename = "a.json"): Promise<Field[]> {
  const { generatePresignedUploadRequest: request } = await by.graphql<
    Record<string, { fields: Field[]; error?: string }>
  >(
    `mutation ($filename: String!) { generatePresignedUploadRequest(
       input: {type: MASS_OPERATIONS, filename: $filename, contentType: "application/json"}) {
       ... on PresignedUploadRequest { fields { name value } } ... on BasicError { error } } }`,
    { filename },
  );
  return (request as { fields: Field[] }).fields;
}

async function post(fields: readonly Field[], file: Blob = new Blob(["{}"]), filename = "blob") {
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  form.append("file", file, filename);
  const headers = { connection: "close" };
  const response = await fetch(`${service.url}/uploads`, { method: "POST", headers, body: form });
  return { status: response.status, code: /<Code>(\w+)/.exec(await response.text())?.[1] };
}

const changed = (fields: readonly Field[], name: string, value: string) =>
  fields.map((field) => (field.name === name ? { name, value } : field));

const fieldValue = (fields: readonly Field[], name: string) =>
  fields.find((field) => field.name === name)?.value as string;

test("a form with a changed key is refused, whatever the key, and leaves nothing behind", async () => {
  const fields = await requestUpload(stranger);
  const keyOfOwner = fieldValue(await requestUpload(owner), "key");
  const keys = [
    ...[keyOfOwner, "../../operator-token", "..", ".", "/", "", "/etc/passwd", "a\0b", "a~b", "%2e%2e/x"],
    ...[`${fieldValue(fields, "key")}/../../x`, fieldValue(fields, "key").toUpperCase(), "x".repeat(5_000)],
  ];
  for (const key of keys)
    expect(await post(changed(fields, "key", key)), key.slice(0, 100)).toEqual({
      status: 403,
      code: "AccessDenied",
    });
  expect(filesOf()).toEqual(stored);
});

test("a form with the policy, the signature or the date of another form is refused", async () => {
  const [mine, other] = [await requestUpload(stranger), await requestUpload(owner)];
  for (const name of ["Policy", "X-Amz-Signature"])
    expect((await post(changed(mine, name, fieldValue(other, name)))).status, name).toBe(403);
  const long = Buffer.from(fieldValue(mine, "Policy"), "base64")
    .toString()
    .replace(/"expiration":"20\d\d/, '"expiration":"2999');
  const policy = changed(mine, "Policy", Buffer.from(long).toString("base64"));
  expect(await post(policy)).toEqual({ status: 403, code: "SignatureDoesNotMatch" });
  expect(await post(changed(mine, "X-Amz-Date", "29990101T000000Z"))).toMatchObject({ status: 403 });
  expect(filesOf()).toEqual(stored);
});

test("a form accepts one file; sent again it is refused, and the first file stays", async () => {
  const fields = await requestUpload(stranger);
  expect((await post(fields, new Blob(["first"]))).status).toBe(201);
  const before = filesOf();
  expect(await post(fields, new Blob(["second"]))).toEqual({ status: 409, code: "ObjectAlreadyExists" });
  expect(filesOf()).toEqual(before);
  stored = before;
});

test("a file's key stays in the tenant's folder, whatever its name", async () => {
  const folder = `${stranger.access.tenant.id}/mass-operations/`;
  for (const filename of [
    "../../x",
    "..\\..\\x",
    "/etc/passwd",
    "a\n.json",
    "….json",
    "~",
    ".",
    " ",
    "con",
    "a/",
  ]) {
    const key = fieldValue(await requestUpload(stranger, filename), "key");
    expect(key.startsWith(folder), key).toBe(true);
    expect(key.slice(folder.length)).toMatch(/^[0-9a-f]{32}\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
  }
  const fields = await requestUpload(stranger);
  expect((await post(fields, new Blob(["{}"]), "../../../operator-token")).status).toBe(201);
  expect(readdirSync(service.dataDir)).toContain("operator-token");
  stored = filesOf();
});

test("another tenant's key, an invented one and one without a form create no task, with the same response", async () => {
  const fields = await requestUpload(owner);
  await post(fields);
  const key = fieldValue(fields, "key");
  const ask = async (key: string) => {
    const { createMassOperationBulkTask: answer } = await stranger.graphql<Record<string, { error: string }>>(
      `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key}) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`,
      { key },
    );
    return JSON.stringify(answer).replaceAll(JSON.stringify(key).slice(1, -1), "<key>");
  };
  const madeUp = key.replace(/[0-9a-f]{32}/, "0".repeat(32));
  const own = key.replace(owner.access.tenant.id, stranger.access.tenant.id);
  const answers = await Promise.all([key, madeUp, own, "../../operator-token", "x"].map(ask));
  expect(answers[0]).toContain("UploadNotFoundError");
  expect(new Set(answers).size).toBe(1);
});

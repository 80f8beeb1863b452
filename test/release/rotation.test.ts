import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServiceOptions, serviceOptions, startService } from "../../packages/service/src/index.ts";
import { createTenant, tenantClient } from "../support/client.ts";

const requestUpload = `mutation { generatePresignedUploadRequest(
  input: { type: MASS_OPERATIONS, filename: "a.json", contentType: "application/json" }
) { ... on PresignedUploadRequest { url fields { name value } } ... on BasicError { error } } }`;

interface Form {
  url: string;
  fields: { name: string; value: string }[];
}

describe("the rotation of the secrets of a data folder", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lading-rotation-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const start = (options: ServiceOptions = {}) =>
    startService({ port: 0, dataDir: folder, logLevel: "silent", ...options });

  const send = async ({ url, fields }: Form) => {
    const form = new FormData();
    for (const { name, value } of fields) form.append(name, value);
    form.append("file", new Blob(["{}"]));
    return (await fetch(url, { method: "POST", body: form })).status;
  };
  const operator = async (url: string, token: string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const body = JSON.stringify({ query: "{ tenants { totalCount } }" });
    return (await fetch(`${url}/operator`, { method: "POST", headers, body })).status;
  };

  test("keeps accepting forms and requests until the old secrets are removed", async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const access = await createTenant(first.url, first.operatorToken, "shop");
    const form = async () => {
      const client = tenantClient(first.url, "shop", access);
      const data = await client.graphql<{ generatePresignedUploadRequest: Form }>(requestUpload);
      return data.generatePresignedUploadRequest;
    };
    const [oldForm, otherOldForm] = [await form(), await form()];
    await first.stop();

    for (const name of ["operator-token", "signing-key"])
      await rename(join(folder, name), join(folder, `${name}.old`));
    const second = serviceOptions({
      LADING_SECOND_OPERATOR_TOKEN_FILE: join(folder, "operator-token.old"),
      LADING_SECOND_SIGNING_KEY_FILE: join(folder, "signing-key.old"),
    });
    const both = await start({ port, ...second });
    expect(both.operatorToken).not.toBe(first.operatorToken);
    expect(await operator(both.url, first.operatorToken)).toBe(200);
    expect(await operator(both.url, both.operatorToken)).toBe(200);
    expect(await send(oldForm)).toBe(201);
    const newForm = await form();
    expect(await send(await form())).toBe(201);
    await both.stop();

    const last = await start({ port });
    expect(await operator(last.url, first.operatorToken)).toBe(401);
    expect(await operator(last.url, both.operatorToken)).toBe(200);
    expect(await send(otherOldForm)).toBe(403);
    expect(await send(newForm)).toBe(201);
    await last.stop();
  });
});

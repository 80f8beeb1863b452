import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The tenant that is worked on, and the right to. */
export interface Access {
  tenant: { id: string; rootItemId: string };
  accessTokenId: string;
  accessTokenSecret: string;
}

/** A service under measurement, and one tenant of it. */
export interface MeasuredService {
  graphql<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
  upload(file: Blob): Promise<string>;
  access: Access;
  peakBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a service process on a data folder and, if given, a PostgreSQL; creates a tenant unless it has one. */
export async function startMeasured(
  dataDir: string,
  databaseUrl: string | undefined,
  existing?: Access,
): Promise<MeasuredService> {
  const child = fork(join(import.meta.dirname, "serve.ts"), [dataDir, databaseUrl ?? ""]);
  const [{ url, operatorToken }] = await once(child, "message");
  const access = existing ?? (await createTenant(url, operatorToken));
  const headers = {
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
  };
  const graphql = <Data>(query: string, variables?: Record<string, unknown>) =>
    post<Data>(`${url}/@bench`, headers, query, variables);
  return {
    graphql,
    upload: (file) => upload(graphql, file),
    access,
    peakBytes: async () => {
      child.send("memory");
      const [{ peakBytes }] = await once(child, "message");
      return peakBytes;
    },
    stop: async () => {
      child.send("stop");
      await once(child, "exit");
    },
  };
}

async function createTenant(url: string, operatorToken: string): Promise<Access> {
  const { createTenant: created } = await post<{ createTenant: Access }>(
    `${url}/operator`,
    { authorization: `Bearer ${operatorToken}` },
    `mutation { createTenant(input: {identifier: "bench", name: "Bench"}) {
       ... on CreatedTenant { tenant { id rootItemId } accessTokenId accessTokenSecret }
       ... on BasicError { error errorName } } }`,
  );
  return created;
}

async function post<Data>(
  url: string,
  headers: Record<string, string>,
  query: string,
  variables?: Record<string, unknown>,
): Promise<Data> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]?.message);
  return data;
}

async function upload(graphql: MeasuredService["graphql"], file: Blob): Promise<string> {
  const { generatePresignedUploadRequest: request } = await graphql<{
    generatePresignedUploadRequest: { url: string; fields: { name: string; value: string }[] };
  }>(
    `mutation { generatePresignedUploadRequest(
       input: {type: MASS_OPERATIONS, filename: "bench.json", contentType: "application/json"}) {
       ... on PresignedUploadRequest { url fields { name value } } ... on BasicError { error errorName } } }`,
  );
  const form = new FormData();
  for (const { name, value } of request.fields) form.append(name, value);
  form.append("file", file);
  const response = await fetch(request.url, { method: "POST", body: form });
  if (!response.ok) throw new Error(await response.text());
  return request.fields.find(({ name }) => name === "key")?.value as string;
}

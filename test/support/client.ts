export interface Access {
  tenant: { id: string; rootItemId: string };
  accessTokenId: string;
  accessTokenSecret: string;
}

/** Calls the Core API of one tenant of a running service, over HTTP. */
export interface TenantClient {
  address: string;
  access: Access;
  /** Data of a response; throws the first of its errors. */
  graphql<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** Uploads a file by a presigned request and returns its key; the default type is a mass operation file. */
  upload(file: Blob, type?: "MASS_OPERATIONS" | "MEDIA"): Promise<string>;
}

export async function createTenant(url: string, operatorToken: string, identifier: string): Promise<Access> {
  const { createTenant: created } = await operatorPost<{ createTenant: Access & { error?: string } }>(
    { url, operatorToken },
    `mutation ($identifier: String!) { createTenant(input: {identifier: $identifier, name: $identifier}) {
       ... on CreatedTenant { tenant { id rootItemId } accessTokenId accessTokenSecret }
       ... on BasicError { error errorName } } }`,
    { identifier },
  );
  if (created.error !== undefined) throw new Error(created.error);
  return created;
}

/** Calls the API of the operator. */
export const operatorPost = <Data>(
  { url, operatorToken }: { url: string; operatorToken: string },
  query: string,
  variables?: Record<string, unknown>,
): Promise<Data> => post(`${url}/operator`, { authorization: `Bearer ${operatorToken}` }, query, variables);

/** Creates a token with a role; returns a client that uses it. */
export async function clientWithRole(
  { url, operatorToken }: { url: string; operatorToken: string },
  admin: TenantClient,
  role: "reader" | "planner",
): Promise<TenantClient> {
  const identifier = admin.address.slice(`${url}/@`.length);
  const { createAccessToken: created } = await operatorPost<{
    createAccessToken: { accessToken: { id: string }; secret: string; error?: string };
  }>(
    { url, operatorToken },
    `mutation ($identifier: String!) {
       createAccessToken(tenantIdentifier: $identifier, input: { name: "${role}", role: ${role} }) {
         ... on CreatedAccessToken { accessToken { id } secret } ... on BasicError { error errorName } } }`,
    { identifier },
  );
  if (created.error !== undefined) throw new Error(created.error);
  const { accessToken, secret } = created;
  return tenantClient(url, identifier, {
    ...admin.access,
    ...{ accessTokenId: accessToken.id, accessTokenSecret: secret },
  });
}

export function tenantClient(url: string, identifier: string, access: Access): TenantClient {
  const headers = {
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
  };
  const address = `${url}/@${identifier}`;
  const graphql = <Data>(query: string, variables?: Record<string, unknown>) =>
    post<Data>(address, headers, query, variables);
  return { address, access, graphql, upload: (file, type) => uploadWith(graphql, file, type) };
}

/** A stopping service may close a kept-alive connection just as the next request is sent. */
const withoutKeepAlive = { connection: "close" };

async function post<Data>(
  url: string,
  headers: Record<string, string>,
  query: string,
  variables?: Record<string, unknown>,
): Promise<Data> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...withoutKeepAlive, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors }: { data: Data; errors?: { message: string }[] } = JSON.parse(await response.text());
  if (errors) throw new Error(errors[0]?.message);
  return data;
}

/** Uploads a file by a presigned request that `graphql` gets, and returns its key. */
export async function uploadWith(
  graphql: TenantClient["graphql"],
  file: Blob,
  type = "MASS_OPERATIONS",
): Promise<string> {
  const { generatePresignedUploadRequest: request } = await graphql<{
    generatePresignedUploadRequest: { url: string; fields: { name: string; value: string }[] };
  }>(
    `mutation ($type: FileUploadType!) { generatePresignedUploadRequest(
       input: {type: $type, filename: "operations.json", contentType: "application/json"}) {
       ... on PresignedUploadRequest { url fields { name value } } ... on BasicError { error errorName } } }`,
    { type },
  );
  const form = new FormData();
  for (const { name, value } of request.fields) form.append(name, value);
  form.append("file", file);
  const response = await fetch(request.url, { method: "POST", headers: withoutKeepAlive, body: form });
  if (!response.ok) throw new Error(await response.text());
  return request.fields.find(({ name }) => name === "key")!.value;
}

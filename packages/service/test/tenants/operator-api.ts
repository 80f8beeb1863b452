import type { Api } from "../http/support.ts";
import { operatorToken } from "../http/support.ts";

/** Asks the operator's API; answers the one root field of the data. */
// biome-ignore lint/suspicious/noExplicitAny: an answer has whatever shape its query asked for
export async function askOperator(api: Api, query: string, variables = {}): Promise<any> {
  const headers = { authorization: `Bearer ${operatorToken}` };
  const payload = { query, variables };
  const { status, body } = await api.send({ method: "POST", url: "/operator", headers, payload });
  if (status !== 200 || "errors" in body) throw new Error(`${status} ${JSON.stringify(body)}`);
  return Object.values(body.data)[0];
}

const failure = "... on BasicError { errorName message }";

export const createToken = (api: Api, input: object, tenant = "shop") =>
  askOperator(
    api,
    `mutation ($tenant: String!, $input: CreateAccessTokenInput!) {
       createAccessToken(tenantIdentifier: $tenant, input: $input) {
         ... on CreatedAccessToken { accessToken { id name role createdAt expiresAt lastUsedAt } secret } ${failure} } }`,
    { tenant, input },
  );

export const revokeToken = (api: Api, id: string, tenant = "shop") =>
  askOperator(
    api,
    `mutation ($tenant: String!, $id: ID!) { revokeAccessToken(tenantIdentifier: $tenant, id: $id) {
       ... on RevokedAccessToken { accessToken { id name role } } ${failure} } }`,
    { tenant, id },
  );

export const showTenant = (api: Api, identifier: string) =>
  askOperator(
    api,
    `query ($identifier: String!) { tenant(identifier: $identifier) {
       ... on Tenant { id identifier name createdAt uploadMaxBytes uploadLifetimeSeconds
         accessTokens { id name role expiresAt lastUsedAt }
         usage { items productVariants customers orders bulkTasks operations } } ${failure} } }`,
    { identifier },
  );

export const updateTenant = (api: Api, identifier: string, input: object) =>
  askOperator(
    api,
    `mutation ($identifier: String!, $input: UpdateTenantInput!) { updateTenant(identifier: $identifier, input: $input) {
       ... on Tenant { name uploadMaxBytes uploadLifetimeSeconds maxWaitingTasks keepBeforeDays } ${failure} } }`,
    { identifier, input },
  );

export const deleteTenant = (api: Api, identifier: string) =>
  askOperator(
    api,
    `mutation ($identifier: String!) { deleteTenant(identifier: $identifier) {
       ... on DeletedTenant { id identifier } ${failure} } }`,
    { identifier },
  );

export const auditTrail = async (api: Api, filter: object = {}) => {
  const { edges } = await askOperator(
    api,
    `query ($filter: AuditTrailFilter) { auditTrail(filter: $filter) { edges { node {
       tenantIdentifier actor accessTokenId accessTokenName action subjectId details } } } }`,
    { filter },
  );
  return edges.map(({ node }: { node: unknown }) => node);
};

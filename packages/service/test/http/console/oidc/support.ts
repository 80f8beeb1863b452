import { type Logger, pino } from "pino";
import { afterAll, beforeAll, beforeEach } from "vitest";
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from "../../../../../../test/support/servers/identity-provider.ts";
import { openProvider } from "../../../../src/http/console/oidc/provider.ts";
import type { SignInServices } from "../../../../src/http/console/oidc/sign-in-routes.ts";
import type { Database } from "../../../../src/storage/database.ts";
import { openSealing } from "../../../../src/system/sealing.ts";
import { openPersons } from "../../../../src/tenants/persons.ts";
import { askOperator } from "../../../tenants/operator-api.ts";
import { type Api, openApi } from "../../support.ts";
import { publicUrl } from "./person.ts";

/** An API with a real provider, at which `ada` is a planner of the shop. */
export interface SignInApi {
  api: Api;
  idp: IdentityProvider;
}

/** Opens what another process of the service would use. */
export function signInServices(
  database: Database,
  issuer: string,
  {
    logger = pino({ level: "silent" }),
    keys = ["the signing key of the tests"],
  }: { logger?: Logger; keys?: [string, string?] } = {},
): SignInServices {
  const provider = openProvider({
    ...{ oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret },
  });
  if (provider === undefined) throw new Error("no provider");
  const sealing = openSealing(keys[0], keys[1], "session");
  return { provider, sealing, persons: openPersons({ database, provider, sealing, logger }) };
}

export function useSignIn(): SignInApi {
  // Set before each test runs.
  const held = {} as SignInApi;
  beforeAll(async () => {
    held.idp = await startIdentityProvider(publicUrl);
    const api = await openApi({ rateLimit: 0, publicUrl: () => publicUrl });
    const server = api.another({ signIn: signInServices(api.database, held.idp.issuer) });
    const close = async () => {
      await Promise.all([server.close(), held.idp.close()]);
      // Other files of this process use the same database.
      for (const table of ["group_roles", "person_sessions"])
        await api.database.execute(`DELETE FROM ${table}`);
      await api.close();
    };
    held.api = { ...api, server, close };
    await map(held.api, "planners", "planner");
  });
  beforeEach(() => {
    const { idp } = held;
    idp.persons.set("ada", { name: "Ada Lovelace", groups: ["planners", "others"] });
    Object.assign(idp, { signedIn: "ada", issuesRefreshTokens: true });
    idp.answers.clear();
    idp.asked.length = 0;
  });
  afterAll(() => held.api.close());
  return held;
}

export const map = (api: Api, group: string, role: string, tenant = "shop") =>
  askOperator(
    api,
    `mutation ($group: String!, $tenant: String!, $role: AccessTokenRole!) {
       mapGroup(group: $group, tenantIdentifier: $tenant, role: $role) {
         ... on GroupRole { group tenantIdentifier role } ... on BasicError { errorName message } } }`,
    { group, tenant, role },
  );

export const unmap = (api: Api, group: string, tenant = "shop") =>
  askOperator(
    api,
    `mutation ($group: String!, $tenant: String!) { unmapGroup(group: $group, tenantIdentifier: $tenant) {
       ... on UnmappedGroup { groupRole { group role } } ... on BasicError { errorName message } } }`,
    { group, tenant },
  );

/** Lets the last confirmation of all persons be this many seconds older. */
export const age = (api: Api, seconds: number) =>
  api.database.execute(
    "UPDATE person_sessions SET verified_at = verified_at - make_interval(secs => $1), renewing_until = NULL",
    [seconds],
  );

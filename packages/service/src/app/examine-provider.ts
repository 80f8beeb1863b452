import { openProvider } from "../http/console/oidc/provider.ts";
import type { ServiceOptions } from "../settings/settings.ts";

/** The result of examining an identity provider. Without `problem`, it can be reached and its issuer matches. */
export interface ProviderFinding {
  issuer: string;
  problem?: string | undefined;
}

/** Asks the identity provider of the settings for its description; undefined without one. */
export async function examineProvider(options: ServiceOptions): Promise<ProviderFinding | undefined> {
  const provider = openProvider(options);
  return provider && { issuer: provider.issuer, problem: await provider.problem() };
}

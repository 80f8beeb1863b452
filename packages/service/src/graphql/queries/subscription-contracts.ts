import { GraphQLID, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import type { SubscriptionContractRow } from "../../storage/collections/subscription-contracts.ts";
import {
  type ContractFilter,
  type ContractIdentity,
  findSubscriptionContract,
  listSubscriptionContracts,
} from "../../storage/queries/subscription-contracts.ts";
import type { CoreContext } from "../context.ts";
import { filterType } from "../derive/input-types.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { State, SubscriptionContract } from "../types/subscription-contract.ts";

const SubscriptionContractListFilter = filterType("SubscriptionContractListFilter", {
  customerIdentifier: { type: GraphQLString },
  state: { type: State },
  sku: { type: GraphQLString },
  subscriptionPlanIdentifier: { type: GraphQLString },
});

/** The requested contract. Rejects with `SubscriptionContractNotFoundError`. */
export async function readContract(
  { services, tenant }: CoreContext,
  identity: ContractIdentity,
): Promise<SubscriptionContractRow> {
  if (Boolean(identity.id) === Boolean(identity.resourceIdentifier))
    reject("ValidationError", "Give either id or resourceIdentifier to identify the contract");
  const contract = await findSubscriptionContract(services.database, tenant.id, identity);
  if (contract !== undefined) return contract;
  const [name, words] = identity.id
    ? (["id", "id"] as const)
    : (["resourceIdentifier", "resource identifier"] as const);
  return reject(
    "SubscriptionContractNotFoundError",
    `No subscription contract has the ${words} "${identity[name]}"`,
    [name],
  );
}

export const subscriptionContractQueries = {
  subscriptionContract: resultField<ContractIdentity>({
    type: resultUnion("SubscriptionContractResult", [SubscriptionContract]),
    description: "A subscription contract, by id or resource identifier.",
    args: { id: { type: GraphQLID }, resourceIdentifier: { type: GraphQLString } },
    resolve: (given, context) => readContract(context, given),
  }),
  subscriptionContracts: resultField<PageArguments & { filter?: ContractFilter | null }>({
    type: resultUnion("SubscriptionContractsResult", [
      connection(SubscriptionContract, "SubscriptionContract"),
    ]),
    description: "The tenant's subscription contracts, newest first.",
    args: { filter: { type: SubscriptionContractListFilter }, ...pageArguments },
    resolve: async ({ filter, ...given }, { services, tenant }) => ({
      page: await listSubscriptionContracts(services.database, tenant.id, filter ?? {}, pageRequest(given)),
      after: given.after,
    }),
  }),
};

import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { callables, withCondition } from "../support/generated/calls.ts";
import type { Random } from "../support/random.ts";
import { times } from "./files.ts";
import { mutateJson, mutateText } from "./mutate.ts";

const fields = callables(coreSchema());

/** The body of a GraphQL request that is wrong in some way, or in none. */
export function mutatedRequest(random: Random, ids: readonly string[]): string {
  const plain = random.pick(fields);
  const field = plain.isConditional && random.chance(0.1) ? withCondition(plain, random.pick(times)) : plain;
  const keys = Array.from({ length: 1 + random.below(3) }, () => random.pick(ids));
  const leaf = field.leaves.length > 0 && random.chance(0.7) ? random.pick(field.leaves) : undefined;
  const own = random.chance(0.5) ? () => random.pick(ids) : undefined;
  const body: Record<string, unknown> = { ...field.call(keys, leaf, own) };
  for (let i = random.below(4); i > 0; i--) mutateJson(random, { variables: body.variables });
  if (random.chance(0.3)) body.query = mutateText(random, String(body.query));
  if (random.chance(0.05)) mutateJson(random, body);
  const text = JSON.stringify(body);
  return random.chance(0.05) ? mutateText(random, text) : text;
}

import type { Parameter } from "../database.ts";

/**
 * The conditions whose value is given, with `?` replaced by the number of their parameter, from `$2`; a filter that is null or
 * absent does not count.
 */
export function conditionList(
  filters: readonly (readonly [condition: string, value: Parameter | undefined])[],
  first = 2,
): { conditions: string[]; parameters: Parameter[] } {
  const given = filters.filter(([, value]) => value !== undefined && value !== null);
  return {
    conditions: given.map(([condition], index) => condition.replace("?", `$${first + index}`)),
    parameters: given.map(([, value]) => value as Parameter),
  };
}

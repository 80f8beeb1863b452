import type { Parameter } from "../database.ts";

/**
 * The conditions that have a value, with `?` replaced by their parameter's number, from `$first` on. Null and absent
 * filters are left out.
 */
export function conditionList(
  filters: readonly (readonly [condition: string, value: Parameter | undefined])[],
  first = 2,
): { conditions: string[]; parameters: Parameter[] } {
  const conditions: string[] = [];
  const parameters: Parameter[] = [];
  for (const [condition, value] of filters) {
    if (value === undefined || value === null) continue;
    conditions.push(condition.replace("?", `$${first + parameters.length}`));
    parameters.push(value);
  }
  return { conditions, parameters };
}

import { type BasicError, type Endpoint, request, succeeded } from "./graphql.ts";
import { type KindName, kindOf } from "./setting-kinds.ts";

/** An entry as the API returns it. */
export type SettingEntry = Readonly<Record<string, unknown>>;

const failure = "... on BasicError { error errorName errors { message path } }";

/** Reads the entries of some kinds of settings, the default first. */
export async function readSettings(
  endpoint: Endpoint,
  names: readonly KindName[],
): Promise<Record<string, SettingEntry[]>> {
  const lists = names.map(kindOf).map(({ list, key, fields }) => `${list} { ${key} ${fields.join(" ")} }`);
  const query = `query ReadSettings { tenant { ${lists.join(" ")} } }`;
  return (await request<{ tenant: Record<string, SettingEntry[]> }>(endpoint, query, {})).tenant;
}

/** Adds an entry, and returns it as it is stored. @throws CliError with the named error of the service */
export async function addSetting(
  endpoint: Endpoint,
  name: KindName,
  input: SettingEntry,
): Promise<SettingEntry> {
  const { type, key, fields } = kindOf(name);
  const mutation = `
    mutation AddSetting($input: Create${type}Input!) {
      setting: create${type}(input: $input) { ... on ${type} { ${key} ${fields.join(" ")} } ${failure} }
    }`;
  type Answer = { setting: SettingEntry | BasicError };
  return succeeded((await request<Answer>(endpoint, mutation, { input })).setting);
}

/** Removes an entry. @throws CliError with the named error of the service, such as SettingInUseError */
export async function removeSetting(endpoint: Endpoint, name: KindName, key: string): Promise<void> {
  const { type, key: property } = kindOf(name);
  const mutation = `
    mutation RemoveSetting($key: ${property === "id" ? "ID" : "String"}!) {
      setting: delete${type}(${property}: $key) { ... on DeleteCount { removed } ${failure} }
    }`;
  type Answer = { setting: { removed: number } | BasicError };
  succeeded((await request<Answer>(endpoint, mutation, { key })).setting);
}

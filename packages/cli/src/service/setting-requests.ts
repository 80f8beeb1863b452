import { composed, failure } from "./documents.ts";
import { type BasicError, type Endpoint, request, succeeded } from "./graphql.ts";
import { type KindName, kindOf } from "./setting-kinds.ts";

/** An entry as the API returns it. */
export type SettingEntry = Readonly<Record<string, unknown>>;

type Answer<Data> = { setting: Data | BasicError };

/** Reads the entries of some kinds of settings, the default first. */
export async function readSettings(
  endpoint: Endpoint,
  names: readonly KindName[],
): Promise<Record<string, SettingEntry[]>> {
  const lists = names.map(kindOf).map(({ list, key, fields }) => `${list} { ${key} ${fields.join(" ")} }`);
  type Lists = { tenant: Record<string, SettingEntry[]> };
  const query = composed<Lists, object>(`query ReadSettings { tenant { ${lists.join(" ")} } }`);
  return (await request(endpoint, query, {})).tenant;
}

/** Adds an entry, and returns it as it is stored. @throws CliError with the named error of the service */
export async function addSetting(
  endpoint: Endpoint,
  name: KindName,
  input: SettingEntry,
): Promise<SettingEntry> {
  const { type, key, fields } = kindOf(name);
  const mutation = composed<Answer<SettingEntry>, { input: SettingEntry }>(`
    mutation AddSetting($input: Create${type}Input!) {
      setting: create${type}(input: $input) { ... on ${type} { ${key} ${fields.join(" ")} } ...Failure }
    }
    ${failure}`);
  return succeeded((await request(endpoint, mutation, { input })).setting);
}

/** Removes an entry. @throws CliError with the named error of the service, such as SettingInUseError */
export async function removeSetting(endpoint: Endpoint, name: KindName, key: string): Promise<void> {
  const { type, key: property } = kindOf(name);
  const mutation = composed<Answer<{ removed: number }>, { key: string }>(`
    mutation RemoveSetting($key: ${property === "id" ? "ID" : "String"}!) {
      setting: delete${type}(${property}: $key) { ... on DeleteCount { removed } ...Failure }
    }
    ${failure}`);
  succeeded((await request(endpoint, mutation, { key })).setting);
}

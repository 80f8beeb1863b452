import {
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
} from "graphql";
import { executeHandler } from "../../commands/execute.ts";
import type { Handler } from "../../domain/command.ts";
import { type SettingCommands, settingCommands } from "../../domain/settings/commands.ts";
import { writtenRows } from "../../domain/settings/entries.ts";
import type { GivenSlot } from "../../domain/settings/order.ts";
import { Rejection } from "../../errors.ts";
import { newId } from "../../storage/ids.ts";
import { type CoreContext, callerOf } from "../context.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { settingLists } from "../types/tenant/settings.ts";
import { deleteCount } from "./mutation-results.ts";
import { type InputFields, settingInputs } from "./setting-inputs.ts";

type Field = GraphQLFieldConfig<unknown, CoreContext>;
type List = (typeof settingLists)[number];

/** The fields of an input set by a request. */
type Given = Readonly<Record<string, unknown>> & GivenSlot;

/** `create…`, `update…` and `delete…` of every list of settings. */
export function settingMutations(): Record<string, Field> {
  const fields = settingLists.flatMap((list) => {
    // GraphQL checks the fields of their inputs.
    const commands: SettingCommands = settingCommands[list.name];
    const fields = settingInputs[list.name];
    return [
      [`create${list.type.name}`, createField(list, fields, commands)],
      [`update${list.type.name}`, updateField(list, fields, commands)],
      [`delete${list.type.name}`, deleteField(list, commands)],
    ];
  });
  return Object.fromEntries(fields);
}

function createField(
  { key, keyType, what, type, entry }: List,
  allFields: InputFields,
  commands: SettingCommands,
): Field {
  // Without one in the input an id is generated; any other key is required.
  const keyField = { type: key === "id" ? keyType : new GraphQLNonNull(keyType) };
  const input = new GraphQLInputObjectType({
    name: `Create${type.name}Input`,
    fields: { [key]: keyField, ...inputFields(allFields, true) },
  });
  return writeField<{ input: Given }>({
    type: resultUnion(`Create${type.name}Result`, [type]),
    description: `Adds an entry to the tenant's ${what}s.`,
    args: { input: { type: new GraphQLNonNull(input) } },
    async resolve({ input: { [key]: given, isDefault, position, ...fields } }, context) {
      const made = typeof given === "string" ? given : newId();
      await execute(context, commands, commands.create, { key: made, isDefault, position, fields });
      return entry(context.tenant, made);
    },
  });
}

/** An entry by its key, the argument next to `input`. */
type ByKey = Record<string, string> & { input: Given };

function updateField(
  { key, keyType, what, type, entry }: List,
  allFields: InputFields,
  commands: SettingCommands,
): Field {
  const input = new GraphQLInputObjectType({
    name: `Update${type.name}Input`,
    fields: inputFields(allFields, false),
  });
  return writeField<ByKey>({
    type: resultUnion(`Update${type.name}Result`, [type]),
    description: `Changes one of the tenant's ${what}s: absent fields are kept, lists replace.`,
    args: { [key]: { type: new GraphQLNonNull(keyType) }, input: { type: new GraphQLNonNull(input) } },
    async resolve({ input: { isDefault, position, ...fields }, [key]: given = "" }, context) {
      await execute(context, commands, commands.update, { key: given, isDefault, position, fields }, key);
      return entry(context.tenant, given);
    },
  });
}

function deleteField({ key, keyType, what, type }: List, commands: SettingCommands): Field {
  return writeField<Record<string, string>>({
    type: resultUnion(`Delete${type.name}Result`, [deleteCount.type]),
    description: `Deletes one of the tenant's ${what}s; refused while it is in use.`,
    args: { [key]: { type: new GraphQLNonNull(keyType) } },
    async resolve({ [key]: given = "" }, context) {
      await execute(context, commands, commands.remove, { key: given }, key);
      return { removed: 1 };
    },
  });
}

const inputFields = (fields: InputFields, complete: boolean): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, optional }]) => [
      name,
      { type: complete && !optional ? new GraphQLNonNull(type) : type },
    ]),
  );

/**
 * Executes a command and updates the list for the rest of the request. Throws rejections with paths that begin with
 * `input`, except for this argument.
 */
async function execute<Input>(
  context: CoreContext,
  { kind: { list } }: SettingCommands,
  command: Handler<Input>,
  input: Input,
  argument?: string,
): Promise<void> {
  let entries: object[] = [];
  const result = await executeHandler(context.services, callerOf(context), command, input, (unit) => {
    entries = writtenRows(unit, list).map(({ value }) => value);
  });
  if (result instanceof Rejection) throw inRequest(result, argument);
  const { tenant } = context;
  context.tenant = { ...tenant, settings: { ...tenant.settings, [list]: entries } };
}

/** The same rejection with paths into the request: everything but the key argument is in `input`. */
const inRequest = ({ name, message, errors }: Rejection, argument: string | undefined): Rejection =>
  new Rejection(
    name,
    message,
    errors.map((error) =>
      error.path.length === 0 || error.path[0] === argument
        ? error
        : { ...error, path: ["input", ...error.path] },
    ),
  );

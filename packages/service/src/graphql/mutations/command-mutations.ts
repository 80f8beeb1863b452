import { type Intent, type Payload, parsePayload, payloads } from "@lading/schema";
import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  getNullableType,
  isNonNullType,
} from "graphql";
import { executeCommand } from "../../commands/execute.ts";
import { invalidPayload } from "../../domain/payload/invalid-payload.ts";
import { Rejection, reject } from "../../errors.ts";
import type { CoreContext } from "../context.ts";
import { inputObject, inputType, type ZodObjectSchema } from "../derive/from-zod.ts";
import { adminField } from "../root-fields.ts";
import { type FailureSource, outcome } from "../types/errors.ts";
import { type MutationRow, mutations } from "./table.ts";

type Arguments = Readonly<Record<string, unknown>>;
type ArgumentMap = Record<string, GraphQLArgumentConfig>;

/** One way to call a mutation: an intent, its row, and the arguments that are derived from its payload. */
interface Call {
  intent: Intent;
  row: MutationRow;
  args: ArgumentMap;
}

/** The mutations of the table, with arguments that are derived from the payloads. */
export function commandMutations(): GraphQLFieldConfigMap<unknown, CoreContext> {
  const calls = (Object.entries(mutations) as [Intent, MutationRow][]).map(([intent, row]) => ({
    intent,
    row,
    args: argumentsOf(intent, row),
  }));
  const byName = Map.groupBy(calls, ({ row }) => row.mutation);
  return Object.fromEntries([...byName].map(([name, ways]) => [name, mutationField(name, ways)]));
}

function mutationField(name: string, calls: Call[]) {
  const { answer } = (calls[0] as Call).row;
  return adminField<Arguments>({
    type: outcome(`${capitalised(name)}Result`, [answer.type]),
    description: calls.map(({ intent }) => payloads[intent].description).join(", or: "),
    args: calls.length === 1 ? (calls[0] as Call).args : mergedArguments(calls),
    resolve: (given, context) => execute(callMeant(calls, given), given, context),
  });
}

function argumentsOf(intent: Intent, row: MutationRow): ArgumentMap {
  const options = (row.options ?? []).map((name) => [name, { type: GraphQLBoolean }]);
  return { ...payloadArguments(intent, row), ...Object.fromEntries(options) };
}

function payloadArguments(intent: Intent, { mutation, keys = {}, input }: MutationRow): ArgumentMap {
  const schema = payloads[intent] as unknown as ZodObjectSchema;
  const typed = (argument: string, field: string) => {
    const type = inputType(schema.shape[field]!, `${capitalised(mutation)}${capitalised(argument)}`);
    return [argument, { type }] as const;
  };
  const named = Object.entries(keys).map(([argument, field]) => typed(argument, field));
  const taken = Object.values(keys);
  const rest = Object.keys(schema.shape).filter((field) => !taken.includes(field));
  if (input === undefined) return Object.fromEntries([...named, ...rest.map((field) => typed(field, field))]);
  const type = inputObject(input, input.replace(/Input$/, ""), schema, taken);
  const isRequired = Object.values(type.getFields()).some((field) => isNonNullType(field.type));
  return { ...Object.fromEntries(named), input: { type: isRequired ? new GraphQLNonNull(type) : type } };
}

/** The arguments of several calls; one is required only if all of them require it. */
function mergedArguments(calls: readonly Call[]): ArgumentMap {
  const names = new Set(calls.flatMap(({ args }) => Object.keys(args)));
  return Object.fromEntries(
    [...names].map((name) => {
      const types = calls.map(({ args }) => args[name]?.type);
      const type = types.find((candidate) => candidate !== undefined)!;
      const required = types.every((candidate) => isNonNullType(candidate));
      return [name, { type: required ? type : getNullableType(type) }];
    }),
  );
}

/** Of several calls, the one whose argument is given. Rejects with `ValidationError` an argument of another one. */
function callMeant(calls: readonly Call[], given: Arguments): Call {
  const present = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const call =
    calls.find(({ row }) => row.when !== undefined && present.includes(row.when)) ??
    (calls.find(({ row }) => row.when === undefined) as Call);
  const stray = present.find((name) => !(name in call.args));
  if (stray !== undefined)
    reject("ValidationError", `"${stray}" does not go together with "${call.row.when}": give one of them`, [
      stray,
    ]);
  return call;
}

async function execute({ intent, row }: Call, given: Arguments, context: CoreContext): Promise<unknown> {
  const written = payloadOf(row, given);
  const parsed = parsePayload(intent, written);
  if ("errors" in parsed)
    return { rejection: invalidPayload(parsed.errors), input: written } satisfies FailureSource;
  const { services, tenant } = context;
  const payload = { ...(parsed.payload as object), ...optionsOf(row, given) } as Payload<Intent>;
  const result = await executeCommand(services, tenant, intent, payload);
  if (result instanceof Rejection) return { rejection: result, input: payload } satisfies FailureSource;
  return row.answer.read(context, payload as object, result);
}

/** The payload that the arguments stand for. */
function payloadOf({ keys = {}, input }: MutationRow, { input: inner, ...given }: Arguments): object {
  const entries = Object.entries(given).map(([argument, value]) => [keys[argument] ?? argument, value]);
  return { ...Object.fromEntries(entries), ...(input !== undefined && (inner as object | undefined)) };
}

const optionsOf = ({ options = [] }: MutationRow, given: Arguments): object =>
  Object.fromEntries(options.map((name) => [name, given[name]]));

const capitalised = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

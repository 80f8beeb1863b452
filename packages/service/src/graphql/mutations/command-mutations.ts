import {
  changeTime,
  type Intent,
  intentNames,
  intents,
  objectionToCondition,
  type Payload,
  parsePayload,
  payloads,
} from "@lading/schema/internal";
import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLNonNull,
  type GraphQLObjectType,
  getNullableType,
  isNonNullType,
} from "graphql";
import type { Condition } from "../../commands/conditional.ts";
import { executeCommand, type OnWritten } from "../../commands/execute.ts";
import { invalidPayload, type Problem, Rejection, reject } from "../../errors.ts";
import { findUndoneWrite } from "../../tasks/log/last-change.ts";
import { type CoreContext, callerOf } from "../context.ts";
import { fieldsOf, inputObject, inputType } from "../derive/from-zod.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { type MutationRow, type MutationShape, mutations } from "../entities.ts";
import { writeField } from "../root-fields.ts";
import type { FailureSource } from "../types/errors.ts";
import { resultUnion } from "../types/result-union.ts";

type Arguments = Readonly<Record<string, unknown>>;
type ArgumentMap = Record<string, GraphQLArgumentConfig>;

/** A call of a mutation for one intent; its arguments derive from the payload. */
interface Call {
  mutation: string;
  when: string | undefined;
  description: string;
  type: GraphQLObjectType;
  args: ArgumentMap;
  execute(given: Arguments, context: CoreContext): Promise<unknown>;
}

export function commandMutations(): GraphQLFieldConfigMap<unknown, CoreContext> {
  const byName = Map.groupBy(
    intentNames.map((intent) => callOf(intent)),
    ({ mutation }) => mutation,
  );
  return Object.fromEntries([...byName].map(([name, calls]) => [name, mutationField(name, calls)]));
}

function callOf<I extends Intent>(intent: I): Call {
  const row: MutationRow<I> | undefined = mutations[intent];
  if (row === undefined)
    throw new Error(`"${intent}" needs a row in packages/service/src/graphql/entities.ts`);
  return {
    mutation: row.mutation,
    when: row.when,
    description: intents[intent].about,
    type: row.result.type,
    args: { ...payloadArguments(intent, row), ...optionArguments(row), ...conditionArgument(intent) },
    execute: (given, context) => execute(intent, row, given, context),
  };
}

function mutationField(name: string, calls: readonly Call[]) {
  const [call] = calls;
  if (call === undefined) throw new Error(`no intent has the mutation ${name}`);
  return writeField<Arguments>({
    type: resultUnion(`${capitalised(name)}Result`, [call.type]),
    description: calls.map(({ description }) => description).join(", or: "),
    args: calls.length === 1 ? call.args : mergedArguments(calls),
    resolve: (given, context) => selectCall(calls, call, given).execute(given, context),
  });
}

const optionArguments = ({ options = [] }: MutationShape): ArgumentMap =>
  Object.fromEntries(options.map((name) => [name, { type: GraphQLBoolean }]));

const conditionArgument = (intent: Intent): ArgumentMap =>
  objectionToCondition(intent) === undefined
    ? {
        ifUnchangedSince: {
          type: GraphQLDateTime,
          description:
            "The `updatedAt` that was read of what it changes, with its time zone: where this has changed since, or is " +
            "gone, it fails with ChangedSinceError.",
        },
      }
    : {};

function payloadArguments(intent: Intent, { mutation, keys = {}, input }: MutationShape): ArgumentMap {
  const schema = payloads[intent];
  const fields = fieldsOf(schema);
  const typed = (argument: string, field: string) => {
    const type = inputType(fields[field]!, `${capitalised(mutation)}${capitalised(argument)}`);
    return [argument, { type }] as const;
  };
  const named = Object.entries(keys).map(([argument, field]) => typed(argument, field));
  const taken = Object.values(keys);
  const rest = Object.keys(fields).filter((field) => !taken.includes(field));
  if (input === undefined) return Object.fromEntries([...named, ...rest.map((field) => typed(field, field))]);
  const name = input === true ? `${capitalised(mutation)}Input` : input;
  const type = inputObject(name, name.replace(/Input$/, ""), schema, taken);
  const isRequired = Object.values(type.getFields()).some((field) => isNonNullType(field.type));
  return { ...Object.fromEntries(named), input: { type: isRequired ? new GraphQLNonNull(type) : type } };
}

/** The arguments of several calls; one is required only if all calls require it. */
function mergedArguments(calls: readonly Call[]): ArgumentMap {
  const all: ArgumentMap = Object.assign({}, ...calls.toReversed().map(({ args }) => args));
  const names = new Set(calls.flatMap(({ args }) => Object.keys(args)));
  return Object.fromEntries(
    [...names].map((name) => {
      const { type } = all[name]!;
      const isRequired = calls.every(({ args }) => isNonNullType(args[name]?.type));
      return [name, { type: isRequired ? type : getNullableType(type) }];
    }),
  );
}

/** The call that the arguments select, else the standard one. Rejects an argument of another call. */
function selectCall(calls: readonly Call[], standard: Call, given: Arguments): Call {
  const present = Object.keys(given).filter((name) => given[name] !== null && given[name] !== undefined);
  const call = calls.find(({ when }) => when !== undefined && present.includes(when)) ?? standard;
  const stray = present.find((name) => !(name in call.args));
  if (stray !== undefined)
    reject("ValidationError", `"${stray}" does not go together with "${call.when}": give one of them`, [
      stray,
    ]);
  return call;
}

async function execute<I extends Intent>(
  intent: I,
  row: MutationRow<I>,
  { ifUnchangedSince, ...given }: Arguments,
  context: CoreContext,
): Promise<unknown> {
  const written = payloadOf(row, given);
  const parsed = parsePayload(intent, written);
  const condition = conditionOf(ifUnchangedSince);
  const errors = [
    ...("errors" in parsed ? parsed.errors : []),
    ...("errors" in condition ? condition.errors : []),
  ];
  if ("errors" in parsed || "errors" in condition)
    return { rejection: invalidPayload(errors), input: written } satisfies FailureSource;
  const payload: Payload<I> = { ...parsed.payload, ...optionsOf(row, given) };
  let answer: object | undefined;
  const onWritten: OnWritten = (unit, done) => {
    answer = row.result.written?.(unit, payload, done);
  };
  const caller = callerOf(context);
  const result = await executeCommand(context.services, caller, intent, payload, onWritten, condition.met);
  if (result instanceof Rejection) return { rejection: result, input: payload } satisfies FailureSource;
  return answer ?? row.result.read(context, payload, result);
}

function conditionOf(since: unknown): { met?: Condition } | { errors: Problem[] } {
  if (since === null || since === undefined) return {};
  const { data, error } = changeTime.safeParse(since);
  if (data !== undefined) return { met: { since: data, undone: findUndoneWrite } };
  const [{ message } = { message: "expected a time" }] = error?.issues ?? [];
  return { errors: [{ code: "InvalidValue", message, path: ["ifUnchangedSince"] }] };
}

/** Builds the payload from the arguments. */
function payloadOf({ keys = {}, input }: MutationShape, { input: inner, ...given }: Arguments): object {
  const payload = Object.fromEntries(
    Object.entries(given).map(([argument, value]) => [keys[argument] ?? argument, value]),
  );
  return input === undefined ? payload : Object.assign(payload, inner);
}

const optionsOf = ({ options = [] }: MutationShape, given: Arguments): object =>
  Object.fromEntries(options.map((name) => [name, given[name]]));

const capitalised = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

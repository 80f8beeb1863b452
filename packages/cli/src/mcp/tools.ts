import type { ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Answer, shownText } from "./answer.ts";
import type { Call } from "./call.ts";
import { describeContentModel } from "./content-model.ts";
import { validate } from "./files.ts";
import { find, foundKinds } from "./find.ts";
import { describeIntent } from "./intent.ts";
import { mcpLimits } from "./limits.ts";
import { failures, plan, runByPlan, task } from "./tasks.ts";

/** A tool: what it is for, what it takes, and what it does. */
interface Tool<Input extends z.ZodObject> {
  readonly about: string;
  readonly input: Input;
  readonly hints: ToolAnnotations;
  answer(call: Call, input: z.output<Input>): Answer | Promise<Answer>;
}

/** A tool as it is called: with what the client sent, which is checked. */
export interface AnyTool extends Omit<Tool<z.ZodObject>, "answer"> {
  answer(call: Call, given: unknown): Answer | Promise<Answer>;
}

const tool = <Input extends z.ZodObject>({ answer, ...row }: Tool<Input>): AnyTool => ({
  ...row,
  answer: (call, given) => answer(call, row.input.parse(given)),
});

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** It adds a task, and changes no data. */
const plans = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const runs = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

/** An object with these members; its error shows names that it does not take as an answer shows stored texts. */
const only = <Members extends z.ZodRawShape>(members: Members) =>
  z.strictObject(members, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unrecognized(issue.keys) : undefined),
  });

function unrecognized(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => shownText(JSON.stringify(name), 40));
  return `Unrecognized ${names.length === 1 ? "key" : "keys"}: ${shown.join(", ")}${names.length > 3 ? ", …" : ""}`;
}

const text = (about: string, length = 1_000) => z.string().min(1).max(length).describe(about);
const number = (about: string, least: number, most: number, preset: number) =>
  z.number().int().min(least).max(most).default(preset).describe(about);
const limit = (preset: number) => number("Entries of the answer", 1, mcpLimits.entries, preset);
const skip = number("Entries to leave out at the beginning", 0, 1_000_000, 0);
const after = z.string().max(2_000).default("").describe("`after` of the answer before, for what follows it");
const id = (about: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{24}$/)
    .describe(about);

const input = {
  operations: z
    .array(z.looseObject({ intent: z.string().max(200) }))
    .min(1)
    .max(mcpLimits.operations)
    .optional()
    .describe("The operations of a file, in order"),
  file: text(
    "Instead of operations: the path of a .json or .json.gz file in the folder of --files",
  ).optional(),
  strict: z.boolean().optional().describe("Warnings are errors"),
};

/** The tools that every token may have called; the service decides what it may do. */
export const tools = {
  describe_content_model: tool({
    about:
      "The tenant's shapes and pieces with their components, and the settings that operations refer to: languages, " +
      "VAT types, price variants, stock locations and more. Call it before you write operations.",
    input: only({
      identifier: text("A shape or piece whose whole definition is answered").optional(),
      skip,
    }),
    hints: reads,
    answer: describeContentModel,
  }),
  find: tool({
    about:
      "Searches items, variants, topics and more by a part of a name or key, or reads one entity by any of its keys: " +
      "id, resource identifier, external reference, path, SKU, identifier. Customers, orders and the like need an admin token.",
    input: only({
      text: text("What to search for", 200).optional(),
      kind: z.enum(foundKinds).optional().describe("The only kind to search, or the kind of the entity"),
      key: text("The key of one entity, with kind").optional(),
      language: text("Language of names and content; default: the tenant's first", 20).optional(),
      limit: limit(20),
      after,
    }),
    hints: reads,
    answer: find,
  }),
  intent: tool({
    about:
      "The JSON Schema, the rules and an example of an intent, which is what an operation does, or of a type that " +
      "schemas refer to. Without a name: all intents.",
    input: only({
      name: text("An intent, such as product/upsert, or a type, such as ComponentContent").optional(),
    }),
    hints: reads,
    answer: (_call, asked) => describeIntent(asked),
  }),
  validate: tool({
    about:
      "Checks operations or a file on this machine, without the tenant's data: what is wrong, where, and what would " +
      "be right.",
    input: only({ ...input, limit: limit(20), skip }),
    hints: reads,
    answer: validate,
  }),
  plan: tool({
    about:
      "Plans operations or a file against the tenant's data: how many would be created, changed, deleted or fail, " +
      "and the first changes. Changes no data. A person then approves the plan.",
    input: only({ ...input, limit: limit(10) }),
    hints: plans,
    answer: plan,
  }),
  task: tool({
    about: "The state and the counts of a task, and of a plan its changes; without an id the newest tasks.",
    input: only({
      task: id("The id of the task or plan").optional(),
      skip: number(
        "Operations with changes to leave out at the beginning, of a plan",
        0,
        mcpLimits.changesLeftOut,
        0,
      ),
      limit: limit(10),
    }),
    hints: reads,
    answer: task,
  }),
  failures: tool({
    about:
      "The causes of a task's or a plan's failures, largest first and dependent ones last, with operations that failed.",
    input: only({
      task: id("The id of the task or plan"),
      cause: text("Only operations of this cause, as it is listed").optional(),
      limit: limit(5),
      after,
    }),
    hints: reads,
    answer: failures,
  }),
};

/** The tool that writes; it is there only with --allow-run, and for an admin's token. */
export const runTool = tool({
  about:
    "Runs what was planned: an operation that would do anything else than in the plan fails. Only after a person has " +
    "seen the plan and agreed.",
  input: only({ plan: id("The id of the plan") }),
  hints: runs,
  answer: runByPlan,
});

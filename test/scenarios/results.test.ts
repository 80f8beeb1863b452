import { type Intent, intentNames, resultProperties } from "@lading/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { page } from "../docs/pages.ts";
import { openExampleService } from "../support/examples.ts";
import { opened } from "../support/opened.ts";
import { type FinishedTask, runFile, serviceEngines } from "../support/service.ts";

/** Properties that results have had from the beginning, by intent, since existing files refer to them. */
const referredTo: Partial<Record<Intent, string>> = {
  "piece/create": "identifier",
  "piece/update": "id.identifier type name",
  "shape/create": "identifier",
  "shape/update": "id.identifier type name",
  "folder/create": "id.value language versionLabel",
  "folder/update": "id.id id.language id.versionLabel",
  "document/create": "id language versionLabel",
  "product/create": "id language versionLabel",
  "document/update": "id.id id.language id.versionLabel",
  "product/update": "id.id id.language id.versionLabel",
  "item/updateComponent/item": "id",
  "item/updateComponent/sku": "id",
  "item/publish": "language",
  "item/unpublish": "language",
  "product/variant/stock/modify": "id",
  "product/variant/create": "sku",
  "product/variant/update": "sku",
  "product/variant/delete": "sku",
  "customer/update": "email identifier firstName lastName",
  "customer/group/update": "type identifier",
  "order/register": "id",
  "order/update": "id",
  "subscription-contract/create": "id",
  "subscription-contract/update": "id",
  "pricelist/update": "name identifier modifierType",
  "image/register": "id language",
};

type Operation = Record<string, unknown> & { intent: Intent; _ref?: string };

/** An operation of a run, and the intent that it acts as; an upsert creates first, then updates. */
interface Row {
  run: 0 | 1;
  intent: Intent;
  branch: Intent;
  ref: string;
  operation: Operation;
}

const example: Operation[] = JSON.parse(page("examples/every-intent.json")).operations;

/** An upsert with a change, to update in the second run. */
function changed(operation: Operation): Operation {
  const { name, firstName } = operation;
  if (name !== undefined) return { ...operation, name: `${name}, changed` };
  if (firstName !== undefined) return { ...operation, firstName: `${firstName}, changed` };
  return { ...operation, meta: [{ key: "changed" }] };
}

const rowsOf = (run: Row["run"]): Row[] =>
  example.map((operation, index) => {
    const { intent, _ref = `operation_${index}` } = operation;
    const branches = resultProperties[intent];
    const updates = run === 1 && branches.length > 1;
    const branch = branches[updates ? 1 : 0]!.intent;
    return { run, intent, branch, ref: _ref, operation: updates ? changed(operation) : operation };
  });

const runs = [rowsOf(0), rowsOf(1)] as const;

/** Every intent, and every branch of an upsert. */
const rows = [...runs[0], ...runs[1].filter(({ intent, branch }) => intent !== branch)];

/** Paths of the properties in the result of a branch; of lists, those of the first entry. */
const documented = (intent: Intent, branch: Intent): string[] =>
  resultProperties[intent]
    .filter((each) => each.intent === branch)
    .flatMap(({ properties }) => properties.map((path) => path.join(".").replace("*", "0")));

const probeName = ({ run, ref }: Row) => `probe of ${ref} in run ${run}`;

/** An operation that stores a whole result, rendered by templates. */
const probe = (row: Row) => {
  const { intent, branch, ref } = row;
  const paths = documented(intent, branch);
  const read = paths.map((path) => `${path}={{ ${ref}.${path.replace(".0.", ".[0].")} }}`);
  const id = `{{#if ${ref}.id.id}}{{ ${ref}.id.id }}{{else}}{{ ${ref}.id }}{{/if}}`;
  const hasId = paths.some((path) => /^id(\.id|\.value)?$/.test(path));
  const name = [...read, ...(hasId ? [`either=${id}`] : [])].join(" ");
  return { intent: "customer/group/upsert", identifier: probeName(row), name };
};

const fileOf = (run: readonly Row[]) =>
  JSON.stringify({
    version: "1.0.0",
    operations: run.flatMap((row) => [{ ...row.operation, _ref: row.ref }, probe(row)]),
  });

describe("the table of results", () => {
  test("the table of results has a row for every intent, and for each branch of an upsert", () => {
    const expected = intentNames.flatMap((intent) =>
      resultProperties[intent].map((branch) => `${branch.intent} by ${intent}`),
    );
    const present = new Set(rows.map(({ intent, branch }) => `${branch} by ${intent}`));
    expect([...present].sort()).toEqual(expected.sort());
  });

  test.each(Object.entries(referredTo))("the documented result of %s includes %s", (intent, list) => {
    expect(documented(intent as Intent, intent as Intent)).toEqual(expect.arrayContaining(list.split(" ")));
  });
});

describe.each(serviceEngines)("the results on %s", (engine) => {
  let tasks: FinishedTask[];
  let probes: Map<string, string>;
  const service = opened(() => openExampleService(engine));
  beforeAll(async () => {
    const tenant = await service.tenant("results");
    tasks = [];
    for (const run of runs) tasks.push(await runFile(tenant, service.fetchable(fileOf(run))));
    const { customerGroups } = await tenant.graphql<{
      customerGroups: { edges: { node: { identifier: string; name: string } }[] };
    }>(
      `{ customerGroups(first: 1000) { ... on CustomerGroupConnection { edges { node { identifier name } } }
         ... on BasicError { message } } }`,
    );
    probes = new Map(customerGroups.edges.map(({ node }) => [node.identifier, node.name]));
  });

  test("all operations of the example succeed, and a warning names what one branch of an upsert lacks", () => {
    for (const { log, status, issues } of tasks) {
      expect(
        log.filter(({ status }) => status !== "success").map(({ intent, message }) => [intent, message]),
      ).toEqual([]);
      expect(status).toBe("complete");
      expect(new Set(issues.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
        new Set(["warning BranchProperty"]),
      );
    }
  });

  test.each(rows)("the results of $intent, branch $branch, are in the log and in templates", (row) => {
    const { run, intent, branch, ref } = row;
    const entry = tasks[run]?.log.find((each) => each.ref === ref);
    expect(entry).toMatchObject({ intent, status: "success" });
    if (intent !== branch) expect(entry?.action).toBe(/\/update$/.test(branch) ? "updated" : "created");
    const output = entry?.output ?? {};
    const paths = documented(intent, branch);
    const present = pathsOf(output).filter((path) => !/\.[1-9]\d*\./.test(path));
    expect(present.sort()).toEqual(paths.toSorted());
    const rendered = paths.map((path) => `${path}=${valueAt(output, path)}`);
    const id = valueAt(output, "id.id") ?? valueAt(output, "id.value") ?? valueAt(output, "id");
    const either = typeof id === "string" ? [`either=${id}`] : [];
    expect(probes.get(probeName(row))).toBe([...rendered, ...either].join(" "));
  });

  test("the results name the item, language and version that the operation had", () => {
    const outputOf = (wanted: Intent, run = 0) =>
      tasks[run]?.log.find(({ intent }) => intent === wanted)?.output as Record<string, unknown>;
    expect(outputOf("product/create")).toMatchObject({ language: "en", versionLabel: "draft" });
    const { identifier } = outputOf("piece/create");
    expect(outputOf("piece/update")).toEqual({
      id: { identifier },
      identifier,
      type: "piece",
      name: "Note of a run",
    });
    expect(outputOf("shape/upsert", 1)).toMatchObject({ type: "folder", name: "Shelf, changed" });
    expect(outputOf("customer/update")).toEqual({
      identifier: outputOf("customer/create").identifier,
      ...{ email: "sen@example.com", firstName: "Sen", lastName: "Rikyu" },
    });
    expect(outputOf("pricelist/update")).toEqual({
      identifier: outputOf("pricelist/create").identifier,
      name: "Tasters of a run",
      modifierType: "RELATIVE",
    });
    const genmaicha = tasks[0]?.log.find(({ ref }) => ref === "genmaicha");
    expect(outputOf("product/variant/stock/modify").id).toBe(genmaicha?.output?.id);
  });
});

/** `{id: {id, language}, name}` → `id.id`, `id.language`, `name` */
function pathsOf(output: object): string[] {
  return Object.entries(output).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? pathsOf(value).map((path) => `${name}.${path}`) : [name],
  );
}

const valueAt = (output: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], output);

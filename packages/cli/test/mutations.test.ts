import { beforeEach, expect, test } from "vitest";
import { resolved } from "../src/mutations/references.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { data, type Script, scriptedService } from "./support/scripted-service.ts";
import { basicError } from "./support/scripted-task.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

const root = { tenant: { id: "t1", rootItemId: "r1", vatTypes: [{ id: "v1" }] } };

async function execute(file: unknown, script: Script, ...flags: string[]) {
  const service = await scriptedService({ ReadTenant: () => data(root), ...script });
  const path = await writeInto(folder, "mutations.json", file);
  const args = ["mass-operation", "execute-mutations", "acme", path, "--url", service.url];
  const outcome = await lading([...args, "--token-id", "i", "--token-secret", "s", ...flags]);
  const sent = service.received.filter(({ operation }) => operation !== "ReadTenant");
  return { ...outcome, sent: sent.map(({ operation, variables }) => ({ operation, variables })), service };
}

const created = ({ name }: Record<string, unknown>) => data({ make: { id: `id of ${name}`, size: 3 } });
const make = { mutation: "mutation Make($name: String!) { make(name: $name) { id size } }" };

test.each([
  ["{", "is not JSON"],
  ['{ "a": {} ,}', ':1:11 is not JSON: there is a comma before "}": remove it'],
  [[], "expected an object"],
  [{ a: { sets: [{}] } }, '"mutation" is missing'],
  [{ a: { ...make, sets: {} } }, '"sets" is not a list'],
  [{ a: { ...make, sets: [{}], target: "pim" } }, 'only "core"'],
  [{ a: { ...make, sets: [{ name: "$b[0].make.id" }] }, b: { ...make, sets: [{}] } }, "earlier mutation"],
  [{ a: { ...make, sets: [{ name: "$a[0].make.id" }] } }, "earlier mutation"],
  [{ a: { ...make, sets: [{}] }, b: { ...make, sets: [{ name: "$a[1].make.id" }] } }, "$a[1].make.id"],
])("a file such as %j is refused with code 2, and nothing is sent", async (file, problem) => {
  const { code, stderr, service } = await execute(file, {});
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
  expect(service.received).toEqual([]);
});

test("mutations are sent in order, once for each set, with the results of earlier ones", async () => {
  const file = {
    "make-parent": { ...make, target: "core", sets: [{ name: "one" }, { name: "two" }] },
    child: { ...make, sets: [{ name: "$make-parent[1].make.id", in: { root: "$root.TENANT_ROOT_ID" } }] },
  };
  const { code, stdout, sent } = await execute(file, { Make: created });
  expect(code).toBe(0);
  expect(sent.map(({ variables }) => variables)).toEqual([
    { name: "one" },
    { name: "two" },
    { name: "id of two", in: { root: "r1" } },
  ]);
  expect(stdout).toContain('success make-parent[1]: {"make":{"id":"id of two","size":3}}\n');
  expect(stdout).toContain("3 mutations: 3 succeeded, 0 failed\n");
});

const twice = { first: { ...make, sets: [{ name: "one" }] }, second: { ...make, sets: [{ name: "two" }] } };
const refusedOnce = (variables: Record<string, unknown>, nth: number) =>
  nth === 0 ? basicError("make", "taken", "TakenError") : created(variables);

test("the first failing mutation ends the run with code 4", async () => {
  const { code, stdout, sent } = await execute(twice, { Make: refusedOnce });
  expect(code).toBe(4);
  expect(stdout).toContain("failure first[0]: taken (TakenError)\n");
  expect(stdout).toContain("2 mutations: 0 succeeded, 1 failed, 1 not sent\n");
  expect(sent).toHaveLength(1);
});

test("--continue-on-error continues after a failing mutation, and still exits with 4", async () => {
  const { code, stdout } = await execute(twice, { Make: refusedOnce }, "--continue-on-error", "--json");
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    succeeded: 1,
    failed: 1,
    results: [
      { name: "first", error: "taken (TakenError)" },
      { name: "second", data: {} },
    ],
  });
});

test("a mutation that refers to a failed one fails too, and is not sent", async () => {
  const file = { ...twice, second: { ...make, sets: [{ name: "$first[0].make.id" }] } };
  const { stdout, sent } = await execute(file, { Make: refusedOnce }, "--continue-on-error");
  expect(stdout).toContain("$first[0].make.id leads to nothing");
  expect(sent).toHaveLength(1);
});

test("errors of a request are failures of its mutation", async () => {
  const wrong = () => ({
    status: 400,
    body: { message: "no field make", errors: [{ message: "no field make" }] },
  });
  const { code, stdout } = await execute(twice, { Make: wrong });
  expect(code).toBe(4);
  expect(stdout).toContain("failure first[0]: ");
  expect(stdout).toContain("no field make");
});

test("references to earlier results keep their types, or become text within other text; a price is none", () => {
  const results = { a: [{ list: [{ n: 5 }] }], root: { ID: "r" } };
  expect(resolved(["$a[0].list[0].n", "n=$a[0].list[0].n.", "$5.99", "$root.ID/x"], results)).toEqual([
    5,
    "n=5.",
    "$5.99",
    "r/x",
  ]);
});

test("a reference to a missing result says which results exist", () => {
  expect(() => resolved("$a[0].list.m", { a: [{ list: { n: 5 } }] })).toThrow(
    "$a[0].list.m leads to nothing: $a[0].list has n",
  );
  expect(() => resolved("$a[0].constructor", { a: [{}] })).toThrow("leads to nothing");
});

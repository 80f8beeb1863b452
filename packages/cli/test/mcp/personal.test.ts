import type { TokenRole } from "@lading/schema/internal";
import { beforeEach, expect, test, vi } from "vitest";
import { clientWithRole } from "../../../../test/support/client.ts";
import { opened } from "../../../../test/support/opened.ts";
import { openService, runFile, serviceEngines } from "../../../../test/support/service.ts";
import { agent, type Called } from "../support/agent.ts";
import { cleanEnvironment } from "../support/lading.ts";

const service = opened(() => openService(serviceEngines[0]));
const clients = opened(async () => {
  const admin = await service.tenant("people");
  const { progress } = await runFile(admin, { version: "1.0.0", operations: [shelf, plants, piece, person] });
  expect(progress.failed).toBe(0);
  const of = (role: "reader" | "planner") => clientWithRole(service, admin, role);
  return { admin, reader: await of("reader"), planner: await of("planner"), close() {} };
});

const shelf = {
  ...{ intent: "shape/upsert", identifier: "shelf", type: "folder", name: "Shelf" },
  components: [{ id: "note", name: "Note", type: "singleLine" }],
};
const plants = {
  ...{ intent: "folder/upsert", resourceIdentifier: "plants", language: "en", name: "Plants" },
  ...{ shapeIdentifier: "shelf", tree: { parentId: "{{ defaults.rootItemId }}" } },
};
const piece = {
  ...{ intent: "piece/upsert", identifier: "piece-003", name: "Piece" },
  components: [{ id: "note", name: "Note", type: "singleLine" }],
};
const person = {
  ...{ intent: "customer/upsert", identifier: "ann", firstName: "Ann", email: "ann@example.com" },
  type: "individual",
};
const email = "{{ valueOf (fetchCustomerByIdentifier 'ann') 'email' }}";

beforeEach(async () => {
  await cleanEnvironment();
  vi.stubEnv("LADING_URL", service.url);
  use("admin");
});

function use(role: TokenRole) {
  const { access } = clients[role];
  vi.stubEnv("LADING_ACCESS_TOKEN_ID", access.accessTokenId);
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", access.accessTokenSecret);
}

const planOf = ({ says }: Called): string => /Task ([0-9a-f]{24}), plan: complete/.exec(says)?.[1] ?? "none";

test("a planner's token reads no personal data in the cause of a failure", async () => {
  const operation = {
    intent: "folder/update",
    itemId: "{{ idOf 'folder' 'resourceIdentifier' 'plants' }}",
    language: "en",
    components: [{ componentId: email, singleLine: { text: "a" } }],
  };
  const seen = async () => {
    const { call } = await agent("people");
    const planned = await call("plan", { operations: [operation] });
    return (await call("failures", { task: planOf(planned) })).text;
  };
  expect(await seen()).toContain("ann@example.com");
  use("planner");
  expect(await seen()).not.toContain("ann@example.com");
});

test("a reader's token is not shown why the file of a task is invalid", async () => {
  const operations = [{ ...person, email: "ann at example.com" }];
  const { id } = await runFile(clients.admin, { version: "1.0.0", operations });
  const seen = async () => (await agent("people")).call("task", { task: id });
  expect((await seen()).data.info.error).toContain("ann at example.com");
  use("reader");
  const { text, says, data } = await seen();
  expect(data).toEqual({ info: { errorName: "ValidationError" } });
  expect(says).toContain("What is wrong with the file needs an admin's token");
  expect(text).not.toMatch(/\bann\b/);
});

test("a planner's token reads no personal data in what a plan would remove", async () => {
  const note = { id: "note", name: "Note", type: "singleLine" };
  const name = "{{ valueOf (fetchCustomerByIdentifier 'ann') 'firstName' }}";
  const board = (...components: object[]) => ({
    ...{ intent: "shape/upsert", identifier: "board", name: "Board", type: "folder" },
    components: [note, ...components],
  });
  const folder = {
    ...{ intent: "folder/upsert", resourceIdentifier: "tea", language: "en", name: "Tea" },
    ...{ shapeIdentifier: "board", tree: { parentId: "{{ defaults.rootItemId }}" } },
    components: [{ componentId: name, singleLine: { text: "a" } }],
  };
  const operations = [board({ ...note, id: name }), folder, board()];
  const planned = async () => (await (await agent("people")).call("plan", { operations })).data.removals;
  expect(await planned()).toEqual(["content of components.Ann in 1 item, which its shape loses"]);
  use("planner");
  expect(await planned()).toEqual(["content of items in components that their shapes lose"]);
});

test.each([
  "idOf 'order' 'resourceIdentifier' 'order-1'",
  "idOf\n'contract' 'resourceIdentifier' 'order-1'",
  'idOf "order" "resourceIdentifier" "order-1"',
])("a planner's token is not shown the id of an order or contract: %s", async (call) => {
  use("planner");
  const client = await agent("people");
  const plan = (name: string) =>
    client.call("plan", { operations: [{ intent: "piece/update", identifier: "piece-003", name }] });
  for (const folder of ["'folder' 'resourceIdentifier'", '"folder" "resourceIdentifier"'])
    expect((await plan(`{{ idOf ${folder} 'plants' }}`)).data.changes).toMatchObject([{ entities: [{}] }]);
  const { data } = await plan(`{{ ${call} }}`);
  expect(data.changes).toEqual([expect.not.objectContaining({ entities: expect.anything() })]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { type ImageHost, openImageHost } from "../support/images/host.ts";
import {
  finished,
  openService,
  runFile,
  serviceEngines,
  type TestService,
  tokenHeaders,
} from "../support/service.ts";

interface Entry {
  unknownUntilApplied: string[];
  changes: {
    entities: { entity: string; values: { pointer: string; before: unknown; after: unknown }[] }[];
  } | null;
}

interface Created {
  id: string;
  error?: string;
  errorName?: string;
}

const createTask = `mutation ($key: String!, $kind: BulkTaskKind) {
  created: createMassOperationBulkTask(input: { key: $key, kind: $kind, autoStart: true }) {
    ... on BulkTaskMassOperation { id } ... on BasicError { error errorName } } }`;

const logWithChanges = `query ($id: ID!) { operationLogs(filter: { operationId: $id }) { edges { node {
  unknownUntilApplied changes { entities { entity values { pointer before after } } } } } } }`;

const tea = (round: number) => ({
  intent: "product/upsert",
  resourceIdentifier: "sencha",
  language: "en",
  shapeIdentifier: "tea",
  name: `Sencha ${round}`,
  tree: { parentId: "{{ defaults.rootItemId }}" },
  vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
  components: [{ componentId: "taste", singleLine: { text: `fresh ${round}` } }],
  variants: [
    {
      ...{ sku: "sencha-100", name: "Sencha, 100 g", isDefault: true },
      priceVariants: [{ identifier: "default", price: 9 + round }],
    },
  ],
});

const shape = {
  ...{ intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product" },
  components: [{ id: "taste", name: "Taste", type: "singleLine" }],
};

const file = (...operations: object[]) => ({ version: "1.0.0", operations });

describe.each(serviceEngines)("the changes of a plan on %s", (engine) => {
  let host: ImageHost;
  let service: TestService;
  let shop: TenantClient;
  let reader: TenantClient;
  let stranger: TenantClient;
  beforeAll(async () => {
    host = await openImageHost();
    service = await openService(engine, { rateLimit: 0, imageHosts: ["127.0.0.1"] });
    shop = await service.tenant("shop");
    reader = await clientWithRole(service, shop, "reader");
    stranger = await service.tenant("stranger");
    await runFile(shop, file(shape, tea(0)));
  });
  afterAll(async () => {
    await service?.close();
    await host.close();
  });

  async function create(key: string, kind = "plan"): Promise<Created> {
    const { created } = await shop.graphql<{ created: Created }>(createTask, { key, kind });
    return created;
  }

  const uploaded = (operations: readonly object[], client = shop) =>
    client.upload(new Blob([JSON.stringify(file(...operations))]));

  /** Plans operations; returns the id of the ended plan. */
  async function plan(...operations: object[]): Promise<string> {
    const { id } = await create(await uploaded(operations));
    expect(await finished(shop, id)).toMatchObject({ status: "complete", progress: { failed: 0 } });
    return id;
  }

  const log = async (id: string, client = shop) =>
    (
      await client.graphql<{ operationLogs: { edges: { node: Entry }[] } }>(logWithChanges, { id })
    ).operationLogs.edges.map(({ node }) => node);

  test.each([
    ["retry", "retryBulkTask"],
    ["undo", "undoBulkTask"],
  ])("a task of the kind %s is refused, and the error names the mutation %s", async (kind, mutation) => {
    const refused = await create(await uploaded([tea(1)]), kind);
    expect(refused).toEqual({ errorName: "ValidationError", error: expect.stringContaining(mutation) });
  });

  test("a plan of an unknown key or another tenant's is refused with the same error", async () => {
    const foreign = await uploaded([tea(1)], stranger);
    const own = await uploaded([tea(1)]);
    for (const key of ["nothing", foreign, own.replace(/[0-9a-f]{32}/, "0".repeat(32))])
      expect(await create(key)).toEqual({
        errorName: "UploadNotFoundError",
        error: expect.stringContaining(`Nothing was uploaded under the key "${key}"`),
      });
  });

  test("only an admin gets the values that a task replaced, not a reader or another tenant", async () => {
    const customer = { intent: "customer/upsert", identifier: "ann" };
    await runFile(shop, file({ ...customer, firstName: "Annabella" }));
    const change = { ...customer, firstName: "A." };
    const planned = await plan(change);
    const { id: ran } = await runFile(shop, file(change));
    for (const id of [planned, ran]) {
      expect(JSON.stringify(await log(id))).toContain("Annabella");
      expect(await log(id, reader)).toEqual([{ unknownUntilApplied: [], changes: null }]);
      await expect(log(id, stranger)).rejects.toThrow("The tenant has no bulk task with the id");
      for (const client of [reader, stranger]) {
        const lines = await fetch(`${client.address}/tasks/${id}/operations.jsonl`, {
          headers: tokenHeaders(client),
        });
        expect(lines.status).toBe(client === reader ? 200 : 404);
        expect(await lines.text()).not.toContain("Annabella");
      }
    }
  });

  test("values from images that a plan does not fetch are unknown until applied", async () => {
    const key = `{{ upload "${host.on("/tea.svg", Buffer.from("<svg/>"))}" }}`;
    const [variant] = tea(0).variants;
    const variants = [{ ...variant, images: [{ key, altText: "Tea" }] }];
    const photo = { _ref: "photo", intent: "image/register", key };
    const named = {
      intent: "customer/upsert",
      identifier: "ann",
      firstName: "Ann",
      lastName: "{{ photo.id }}",
    };
    const id = await plan({ ...tea(0), variants }, photo, named, tea(0));
    expect((await log(id)).map(({ unknownUntilApplied }) => unknownUntilApplied)).toEqual([
      ["/variants/0/images/0/key"],
      ["/key"],
      ["/lastName"],
      [],
    ]);
    expect(host.requests).toEqual([]);
  });
});

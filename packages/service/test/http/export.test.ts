import { exportKinds } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { dumpReaders } from "../../src/commands/registry.ts";
import { beginDump } from "../../src/domain/dump/dump.ts";
import { useApi } from "./support.ts";

const api = useApi();

const ask = async (query: string, role: "admin" | "reader" = "admin") => {
  const headers = await api.tokenHeaders(role);
  const {
    statusCode,
    body,
    headers: answered,
  } = await api.server.inject({
    ...{ method: "GET", url: `/@shop/export?${query}`, headers },
  });
  return { status: statusCode, body, headers: answered };
};

test("an export needs a token, and of personal data an admin's", async () => {
  expect(await api.send({ method: "GET", url: "/@shop/export?kind=products" })).toMatchObject({
    status: 401,
  });
  for (const kind of ["customers", "orders"])
    for (const format of ["csv", "map", "columns"])
      expect(await ask(`kind=${kind}&format=${format}`, "reader")).toMatchObject({ status: 403 });
  expect(await ask("kind=customers")).toMatchObject({ status: 200 });
  expect(await ask("kind=products", "reader")).toMatchObject({ status: 200 });
});

test.each([
  ["", 'kind is missing; give \\"products\\", '],
  ["kind=product", 'kind is \\"product\\"; it must be one of products, '],
  ["kind=products&format=xlsx", "it must be one of csv, ndjson, map, columns."],
  ["kind=products&decimal=x", "decimal is"],
  ["kind=products&bom=1", "bom is"],
  ["kind=products&colums=name", 'did you mean \\"columns\\"?'],
  ["kind=products&where=a&where=b", "where is given more than once."],
  ["kind=products&where=nmae%20%3D%20x", 'did you mean \\"name\\"?'],
  ["kind=products&where=name%20%3D%20%00", "where cannot have a NUL character."],
  ["kind=orders&format=map", "it is read-only"],
])("an export with %j is refused", async (query, why) => {
  const { status, body } = await ask(query);
  expect(status).toBe(400);
  expect(body).toContain(why);
});

test("an export is refused while a dump of the tenant is made, which the answer names", async () => {
  const services = { database: api.database, imageUrl: (key: string) => key, dumpReaders };
  const dump = await beginDump(services, api.shop.tenant.id);
  if (typeof dump === "string") throw new Error(dump);
  const refused = await ask("kind=products");
  await dump.return(undefined);
  expect(refused.status).toBe(409);
  expect(JSON.parse(refused.body)).toMatchObject({
    message: "Another dump of the tenant is being made. Try again later.",
    errors: [{ extensions: { code: "DumpRunning" } }],
  });
});

test.each(exportKinds.filter((kind) => kind !== "content"))(
  "%s are exported as a table, with their columns",
  async (kind) => {
    const { headers, body } = await ask(`kind=${kind}`);
    expect(headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="shop-${kind}.csv"`,
    });
    const columns: { name: string; isKey: boolean; isDefault: boolean }[] = JSON.parse(
      (await ask(`kind=${kind}&format=columns`)).body,
    );
    const names = columns.filter(({ isKey, isDefault }) => isKey || isDefault).map(({ name }) => name);
    expect(body).toBe(`${[...names, "_updatedAt", "_exported"].join()}\n`);
    const all = columns.map(({ name }) => encodeURIComponent(name)).join();
    expect(await ask(`kind=${kind}&format=ndjson&columns=${all}`)).toMatchObject({ status: 200, body: "" });
  },
);

import { expect, test } from "vitest";
import { dumpReaders } from "../../src/commands/registry.ts";
import { beginDump } from "../../src/domain/dump/dump.ts";
import { mostSessions } from "../../src/storage/engines/postgres-session.ts";
import { mostSnapshots } from "../../src/storage/pages/snapshot.ts";
import { describeOnEngines, type Shop } from "../support/commands.ts";

const begin = ({ database }: Shop, id: string) =>
  beginDump({ database, imageUrl: (key) => key, dumpReaders }, id);

async function begun(shop: Shop, id: string): Promise<AsyncGenerator<string>> {
  const text = await begin(shop, id);
  if (typeof text === "string") throw new Error(text);
  return text;
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(chunks)).join("");
}

describeOnEngines("a dump", (shop) => {
  test("of a tenant that has one already does not begin, until that is given up or at its end", async () => {
    const { tenant } = shop();
    const first = await begun(shop(), tenant.id);
    expect(await begin(shop(), tenant.id)).toBe("TenantHasOne");
    await first.return(undefined);
    const second = await begun(shop(), tenant.id);
    expect(await textOf(second)).toMatch(/^\{"version":"1\.0\.0","operations":\[\n.*\n\]\}\n$/s);
    expect(await textOf(await begun(shop(), tenant.id))).not.toBe("");
  });

  test("does not begin at the process's limit, and none blocks a plan", async () => {
    const neighbours = await Promise.all(Array.from({ length: mostSnapshots }, () => shop().neighbour()));
    const open = await Promise.all(neighbours.map(({ tenant }) => begun(shop(), tenant.id)));
    expect(await begin(shop(), shop().tenant.id)).toBe("TooMany");
    const plans = Array.from({ length: mostSessions }, () =>
      shop().database.session("", (session) => session.query("SELECT 1")),
    );
    expect(await Promise.all(plans)).toHaveLength(mostSessions);
    await Promise.all(open.map((text) => text.return(undefined)));
    expect(await textOf(await begun(shop(), shop().tenant.id))).not.toBe("");
  });

  test("of another tenant continues in parallel", async () => {
    const neighbour = await shop().neighbour();
    const first = await begun(shop(), shop().tenant.id);
    expect(await textOf(await begun(shop(), neighbour.tenant.id))).not.toBe("");
    await first.return(undefined);
  });

  test("has no data of another tenant", async () => {
    const neighbour = await shop().neighbour();
    await neighbour.done("customer/create", { identifier: "secret" });
    await neighbour.done("topic/create", { language: "en", name: "secret" });
    expect(await textOf(await begun(shop(), shop().tenant.id))).not.toContain("secret");
  });

  test("continues from page to page without omitting or repeating a row", async () => {
    const { batch, tenant } = shop();
    const names = Array.from({ length: 450 }, (_, i) => `t${i}`);
    await batch(names.map((name) => ["topic/create", { language: "en", name }]));
    await batch([["shape/create", { identifier: "shelf", name: "Shelf", type: "folder" }]]);
    const shelf = { language: "en", shapeIdentifier: "shelf" };
    const parents = names.map((name) => ({ ...shelf, name, tree: { parentId: tenant.rootItemId } }));
    const made = await batch(parents.map((folder) => ["folder/create", folder]));
    const [first, , third] = made.map((result) => ("output" in result ? result.output.id : {})) as {
      value: string;
    }[];
    for (const parent of [first, third])
      await batch(
        names.map((name) => ["folder/create", { ...shelf, name, tree: { parentId: parent?.value } }]),
      );
    const { operations } = JSON.parse(await textOf(await begun(shop(), tenant.id)));
    const ids = operations.flatMap(({ itemId, topicId }: Record<string, string>) => itemId ?? topicId ?? []);
    expect([ids.length, new Set(ids).size]).toEqual([450 * 4, 450 * 4]);
  });
});

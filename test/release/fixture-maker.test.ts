import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { versionAndCommit } from "../../packages/service/src/system/version.ts";
import { comparable, finishedTasks, type HalfwayEntry, repeated } from "../fixtures/halfway-tasks.ts";
import { makeFixture } from "../fixtures/make/make-fixture.ts";
import {
  copyFixture,
  type FixtureCopy,
  type FixtureService,
  fixtureOfThisVersion,
  fixtures,
  openFixture,
} from "../fixtures/open.ts";
import { fetchedEntities, fieldsToRead, rendered, valuesToRead } from "../fixtures/read-by-templates.ts";
import { logFaults } from "../support/logs/operation-log.ts";
import { bothServiceEngines } from "../support/service.ts";

let made: string;
beforeAll(async () => {
  made = await fixtureOfThisVersion();
});

test("the fixture of a version can be made only once", async () => {
  const folder = dirname(made);
  expect(await readdir(folder)).toEqual([basename(made)]);
  expect(basename(made)).toMatch(/^\d+\.\d+\.\d+-schema-\d+$/);
  expect(basename(made).startsWith(`${versionAndCommit().version}-`)).toBe(true);
  expect((await readdir(made)).sort()).toEqual([
    ...["database.sql.zst", "folder.tar.zst", "recording.json.zst"],
  ]);
  await expect(makeFixture(folder)).rejects.toMatchObject({ stderr: expect.stringContaining(made) });
});

const cases = ["this version", ...fixtures].flatMap((of) =>
  bothServiceEngines.map((engine) => ({ of, engine })),
);

describe.each(cases)("a database of $of on $engine, migrated,", ({ of, engine }) => {
  let copy: FixtureCopy;
  let fixture: FixtureService;

  beforeAll(async () => {
    copy = await copyFixture(of === "this version" ? made : of, engine);
    fixture = await openFixture(copy);
  });
  afterAll(async () => {
    await fixture?.close();
    await copy?.remove();
  });

  test("a migrated database reads the same as before", async () => {
    expect(fixture.recording.reads.length).toBeGreaterThan(0);
    for (const { name, query, variables, data } of fixture.recording.reads)
      expect([name, await fixture.shop.graphql(query, variables)]).toEqual([name, data]);
  });

  test("templates and queries read the same from a migrated database", async () => {
    const entities = await fetchedEntities(fixture.shop, fixture.recording.reads);
    const schema = coreSchema();
    const keys = await rendered(
      fixture.shop,
      entities.map(({ call }) => [`{{#each (${call})}}{{@key}} {{/each}}`]),
    );
    entities.forEach((entity, i) => {
      expect([entity.call, `${keys[i]}`.split(" ")]).toEqual([
        entity.call,
        expect.arrayContaining(fieldsToRead(schema, entity)),
      ]);
    });
    const values = entities.map(valuesToRead);
    const read = await rendered(
      fixture.shop,
      entities.map(({ call }, i) =>
        [...values[i]!.keys()].map((path) => `{{ valueOf (${call}) '${path}' }}`),
      ),
    );
    expect(read).toEqual(values.map((of) => [...of.values()]));
  });

  test("an interrupted task resumes, with the result of an undisturbed run", async () => {
    const [before, ...tasks] = await finishedTasks(fixture.halfway);
    expect(tasks.length).toBeGreaterThan(0);
    for (const { log, progress } of tasks) {
      expect(log.map(({ index }) => index)).toEqual(Array.from({ length: progress.total ?? 0 }, (_, i) => i));
      const count = (name: keyof HalfwayEntry, value: string) =>
        log.filter((entry) => entry[name] === value).length;
      expect(progress).toMatchObject({
        ...{ succeeded: count("status", "success"), failed: count("status", "failure") },
        ...{ created: count("action", "created"), updated: count("action", "updated") },
      });
    }
    const another = await fixture.newTenant("undisturbed");
    await repeated([before!], another);
    expect(comparable(tasks)).toEqual(comparable(await repeated(tasks, another)));
  });

  test("the log of a migrated database has each entry once", async () => {
    await fixture.close();
    const database = await copy.database();
    onTestFinished(() => database.close());
    const tenants = await database.query<{ id: string }>("SELECT id FROM tenants");
    expect(tenants.length).toBeGreaterThan(0);
    for (const { id } of tenants) expect(await logFaults(database, id)).toEqual([]);
  });
});

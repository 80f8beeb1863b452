import { setTimeout as delay } from "node:timers/promises";
import { type Attack, type Attacker, many, tally } from "../attack.ts";
import { floods } from "./queries.ts";

const one = { intent: "customer/upsert", identifier: "c" };

/** Operations of which every one fails, each for a reason with values of its own. */
const failing = (count: number) =>
  many(count, (i) => ({
    ...{ intent: "product/upsert", resourceIdentifier: `p-${i}`, name: "P", language: "en" },
    shapeIdentifier: `nothing-${i}`,
  }));

/** Failures of the task whose log is read. */
const failures = 150_000;

/** Sends a query with ten aliases of a field that reads the failures of a task, by 64 requests at a time. */
function readingOfFailures(name: string, fieldOf: (task: string, alias: number) => string): Attack {
  let body = "";
  return {
    name,
    async prepare({ client, start, ended }: Attacker) {
      const task = await start(failing(failures));
      const state = await ended(task);
      if (!state.startsWith("complete")) throw new Error(`the failures were not written: ${state}`);
      const query = `{ ${many(10, (i) => `a${i}: ${fieldOf(task, i)}`).join(" ")} }`;
      await client.graphql(query);
      body = JSON.stringify({ query });
    },
    run: (attacker) => floods(body, 64, 20)(attacker),
  };
}

const logsOf = (filter: string) => (task: string, alias: number) =>
  `operationLogs(filter: {operationId: "${task}", ${filter.replaceAll("#", `${alias}`)}}, first: 10) { edges { node { index } } }`;
const groupsOf = (given: string) => (task: string) =>
  `bulkTask(id: "${task}") { ... on BulkTaskMassOperation { failureGroups${given} { totalCount } } ... on BasicError { error } }`;

/** Makes a task that is retried again and again. */
async function retriedTask({ client, start, ended }: Attacker, retries: number): Promise<void> {
  let last = await start(failing(1));
  for (let i = 0; i < retries; i++) {
    await ended(last);
    const { task } = await client.graphql<{ task: { id: string } }>(
      `mutation ($id: ID!) { task: retryBulkTask(id: $id, autoStart: true) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { id: last },
    );
    last = task.id;
  }
  await ended(last);
}

const counts = "counts { running held openFailures planned }";
const listed =
  "id key createdBy topFailure { cause count } progress { processed failed operationsPerSecond }";

/** Has a hundred streams of an overview open while it changes. */
const overviewStreams: Attack = {
  name: "overviews-by-the-hundred",
  prepare: async ({ start, ended }) => {
    for (let i = 0; i < 50; i++) await ended(await start(failing(1)));
  },
  run: async ({ over, start, post }) => {
    const selection = many(20, (i) => `a${i}: recent { ${listed} } b${i}: openFailures { ${listed} }`);
    const bodies = many(100, async (i) => {
      const text = i % 2 === 0 ? selection.join(" ") : `${counts} recent { ${listed} }`;
      return post(JSON.stringify({ query: `subscription { taskOverview { ${text} } }` })).then(
        ({ status, message }) => `${status} ${message}`,
        (error: Error) => error.name,
      );
    });
    while (!over.aborted) {
      await start([one]);
      await delay(1_000);
    }
    return tally(await Promise.all(bodies));
  },
};

/** A query of overviews, hours and searches of tasks, under many aliases. */
const overviews: Attack = {
  name: "overviews-under-220-aliases",
  prepare: overviewStreams.prepare!,
  run: (attacker) => {
    const fields = [
      ...many(100, (i) => `o${i}: taskOverview { ${counts} }`),
      ...many(100, (i) => `h${i}: taskActivity(hours: 192) { operations failed }`),
      ...many(
        20,
        (i) => `t${i}: bulkTasks(filter: {text: "nothing ${i}", createdFrom: "2000-01-01"}) { totalCount }`,
      ),
    ];
    return floods(JSON.stringify({ query: `{ ${fields.join(" ")} }` }), 64, 20)(attacker);
  },
};

/** Retries of a task, of each of these, and so on. */
const nested = (levels: number): string => (levels === 0 ? "id" : `id retries { ${nested(levels - 1)} }`);

const nestedRetries: Attack = {
  name: "retries-of-retries",
  prepare: (attacker) => retriedTask(attacker, 20),
  run: (attacker) =>
    floods(JSON.stringify({ query: `{ taskOverview { recent { ${nested(10)} } } }` }), 64, 20)(attacker),
};

export const taskAttacks: Attack[] = [
  overviewStreams,
  overviews,
  nestedRetries,
  readingOfFailures("searches-of-150000-failures", logsOf('text: "no such text #"')),
  readingOfFailures("causes-of-150000-failures", groupsOf("(first: 1)")),
  readingOfFailures("unrepaired-of-150000-failures", groupsOf("(first: 1, unrepaired: true)")),
  {
    name: "tasks-by-the-thousand",
    run: async ({ client, over, start }) => {
      const first = await start([one]);
      const { bulkTask } = await client.graphql<{ bulkTask: { key: string } }>(
        `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { key } ... on BasicError { error } } }`,
        { id: first },
      );
      const answers: string[] = [];
      const lane = async () => {
        while (answers.length < 2_000 && !over.aborted) {
          const created = client.graphql<{ task: { __typename: string } }>(
            `mutation ($key: String!) { task: createMassOperationBulkTask(input: {key: $key, autoStart: true}) { __typename
               ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
            { key: bulkTask.key },
          );
          answers.push(
            await created.then(
              ({ task }) => task.__typename,
              ({ message }: Error) => message.slice(0, 40),
            ),
          );
        }
      };
      await Promise.all(many(8, lane));
      await delay(5_000);
      return tally(answers);
    },
  },
  {
    name: "operations-that-fail",
    run: async ({ start, ended }) => ended(await start(failing(100_000))),
  },
];

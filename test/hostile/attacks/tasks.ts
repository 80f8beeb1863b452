import { setTimeout as delay } from "node:timers/promises";
import { type Attack, many, tally } from "../attack.ts";

const one = { intent: "customer/upsert", identifier: "c" };

export const taskAttacks: Attack[] = [
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
    run: async ({ start, ended }) =>
      ended(
        await start(
          many(100_000, (i) => ({
            ...{ intent: "product/upsert", resourceIdentifier: `p-${i}`, name: "P", language: "en" },
            shapeIdentifier: `nothing-${i}`,
          })),
        ),
      ),
  },
];

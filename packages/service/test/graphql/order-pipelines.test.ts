import { beforeAll, describe, expect, test } from "vitest";
import { maximumPublished } from "../../src/graphql/mutations/publish-items.ts";
import { useItemsApi } from "./items-api.ts";

const failure = "... on BasicError { errorName message errors { path } }";
const unknownId = "65a0000000000000000000ff";

describe("mutations without an intent", () => {
  const api = useItemsApi();

  describe("of the pipelines of an order", () => {
    let orderId: string;
    let pipeline: { id: string; stages: { id: string }[] };
    beforeAll(async () => {
      const { made, order } = await api.data(
        `mutation {
           made: createPipeline(input: {name: "Fulfilment", stages: [{name: "New"}, {name: "Packed"}]}) {
             ... on Pipeline { id stages { id } } ${failure} }
           order: registerOrder(input: {customer: {identifier: "ann"}, cart: [{name: "Cup", quantity: 1}]}) {
             ... on OrderConfirmation { id } ${failure} } }`,
      );
      pipeline = made;
      orderId = order.id;
    });

    const answer = `... on Order { id pipelines { pipelineId stageId } } ${failure}`;
    const move = (stageId: string, ids: { orderId?: string; pipelineId?: string } = {}) =>
      api.field(
        `mutation ($orderId: ID!, $pipelineId: ID!, $stageId: ID!) {
             moved: updateOrderPipelineStage(orderId: $orderId, pipelineId: $pipelineId, stageId: $stageId) { ${answer} } }`,
        { orderId, pipelineId: pipeline.id, stageId, ...ids },
      );
    const leave = (pipelineId: string) =>
      api.field(
        `mutation { left: deleteOrderPipeline(orderId: "${orderId}", pipelineId: "${pipelineId}") { ${answer} } }`,
      );

    test("mutations of order pipelines refuse an order, a pipeline and a stage that do not exist", async () => {
      const [stage] = pipeline.stages;
      expect(await move(stage?.id ?? "", { orderId: unknownId })).toMatchObject({
        errorName: "OrderNotFoundError",
        errors: [{ path: ["orderId"] }],
      });
      expect(await move(stage?.id ?? "", { pipelineId: unknownId })).toMatchObject({
        errorName: "SettingNotFoundError",
        errors: [{ path: ["pipelineId"] }],
      });
      expect(await move(unknownId)).toMatchObject({
        message: expect.stringContaining('The order pipeline "Fulfilment" has no stage'),
      });
    });

    test("an order can be put into a stage, moved to another, and taken out to delete the pipeline", async () => {
      const [first, second] = pipeline.stages.map(({ id }) => id) as [string, string];
      const pipelines = (stageId: string) => ({
        id: orderId,
        pipelines: [{ pipelineId: pipeline.id, stageId }],
      });
      expect(await move(first)).toEqual(pipelines(first));
      expect(await move(second)).toEqual(pipelines(second));
      const remove = () =>
        api.field(
          `mutation { gone: deletePipeline(id: "${pipeline.id}") { ... on DeleteCount { removed } ${failure} } }`,
        );
      expect(await remove()).toMatchObject({ errorName: "SettingInUseError" });
      expect(await leave(pipeline.id)).toEqual({ id: orderId, pipelines: [] });
      expect(await leave(pipeline.id)).toEqual({ id: orderId, pipelines: [] });
      expect(await remove()).toEqual({ removed: 1 });
    });
  });

  describe("that publish several items", () => {
    const publish = (ids: string[]) =>
      api.field(
        `mutation ($ids: [ID!]!) { done: publishItems(ids: $ids, language: "en") {
             ... on PublishItemsRequest { success { itemId } failure { itemId error errorName } } ${failure} } }`,
        { ids },
      );

    test("publishing several items refuses more than the limit, and publishes those that it can", async () => {
      expect(await publish(Array(maximumPublished + 1).fill(unknownId))).toMatchObject({
        errorName: "ValidationError",
        message: "ids lists 1001; the limit is 1000",
      });
      const id = await api.product("several");
      expect(await publish([unknownId, id])).toEqual({
        success: [{ itemId: id }],
        failure: [{ itemId: unknownId, error: expect.any(String), errorName: "ItemNotFoundError" }],
      });
      expect(await api.item(`id: "${id}", language: "en", version: published`, "name")).toEqual({
        name: "several",
      });
    });
  });
});

import { beforeEach, expect, test } from "vitest";
import { flowItems } from "../../src/storage/collections/flow-items.ts";
import { flowStages } from "../../src/storage/collections/flow-stages.ts";
import { flows } from "../../src/storage/collections/flows.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { addShape, create, prepare } from "./item/support.ts";

const unknownId = "0123456789abcdef01234567";
const stage = (identifier: string, more: object = {}) => ({
  identifier,
  name: `Stage ${identifier}`,
  ...more,
});
const flow = (more: WrittenPayload = {}): WrittenPayload => ({
  ...{ identifier: "review", name: "Review", type: "item" },
  stages: [stage("draft"), stage("done")],
  ...more,
});

describeOnEngines("a flow", (shop) => {
  const wrong: [what: string, payload: WrittenPayload, path: string, message: string][] = [
    [
      "an identifier of 513 characters",
      { identifier: "x".repeat(513) },
      "identifier",
      "identifier has 513 characters; the limit is at most 512",
    ],
    [
      "31 stages",
      { stages: Array.from({ length: 31 }, (_, i) => stage(`s${i}`)) },
      "stages",
      "stages lists 31; the limit is 30",
    ],
    [
      "9 actions of a stage",
      { stages: [stage("a", { actions: Array(9).fill({ action: "advance" }) })] },
      "stages.0.actions",
      "stages[0].actions lists 9; the limit is 8",
    ],
    [
      "two stages of one identifier",
      { stages: [stage("a"), stage("a")] },
      "stages.1",
      '"a" occurs twice in stages',
    ],
    [
      "a move that does not say where to",
      { stages: [stage("a", { actions: [{ action: "move" }] })] },
      "stages.0.actions.0.move",
      'stages[0].actions[0] is the action "move", which needs "move"',
    ],
    [
      "a move to a stage that it does not have",
      { stages: [stage("a", { actions: [{ action: "move", move: { targetStageIdentifier: "b" } }] })] },
      "stages.0.actions.0.move.targetStageIdentifier",
      'The flow has no stage "b" to move to; it has "a"',
    ],
    [
      "a failure that moves nowhere",
      {
        stages: [
          stage("a", { actions: [{ action: "publish", publish: { onFailure: { action: "move" } } }] }),
        ],
      },
      "stages.0.actions.0.publish.onFailure.move",
      'is the action "move", which needs "move"',
    ],
  ];

  test.each(wrong)("a flow is refused with %s", async (_, payload, path, message) => {
    for (const intent of ["flow/create", "flow/upsert"] as const) {
      const refusal = await shop().refused(intent, flow(payload));
      expect(refusal.name).toBe("ValidationError");
      expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([path]);
      expect(refusal.message).toContain(message);
    }
    expect(await shop().all(flows)).toEqual([]);
  });

  test("a flow cannot accept shapes that do not exist", async () => {
    const restrictions = { item: { acceptedShapeIdentifiers: ["nix"] } };
    expect(await shop().refused("flow/create", flow({ restrictions }))).toMatchObject({
      name: "ShapeNotFoundError",
      message: expect.stringMatching(/^There is no shape "nix"\. There are /),
      errors: [{ path: ["restrictions", "item", "acceptedShapeIdentifiers", 0] }],
    });
  });

  test("a flow is not created twice, and not updated when it does not exist", async () => {
    await shop().done("flow/create", flow());
    expect(await shop().refused("flow/create", flow())).toMatchObject({
      name: "FlowIdentifierTakenError",
      statusCode: 409,
      message: 'A flow "review" exists already',
    });
    expect(await shop().refused("flow/update", { identifier: "nix" })).toMatchObject({
      name: "FlowNotFoundError",
      statusCode: 404,
    });
  });

  test("a flow cannot take a stage of another flow", async () => {
    await shop().done("flow/create", flow());
    const other = flow({ identifier: "other", stages: [stage("new"), stage("done")] });
    expect(await shop().refused("flow/upsert", other)).toMatchObject({
      name: "FlowStageTakenError",
      message: 'The flow "review" has the stage "done"',
      errors: [{ path: ["stages", 1, "identifier"] }],
    });
  });

  test("a flow cannot lose its name", async () => {
    await shop().done("flow/create", flow());
    expect(await shop().refused("flow/update", { identifier: "review", name: null })).toMatchObject({
      name: "ValidationError",
      message: "name is null; a flow has a name",
    });
  });

  test("an upsert creates a flow, then changes nothing, then updates what differs", async () => {
    const output = { identifier: "review" };
    expect(await shop().done("flow/upsert", flow())).toEqual({ action: "created", output });
    expect(await shop().done("flow/upsert", flow())).toEqual({ action: "unchanged", output });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    const actions = [{ action: "move", move: { targetStageIdentifier: "done" } }];
    const stages = [stage("done", { name: "Ready" }), stage("draft", { actions })];
    expect(await shop().done("flow/upsert", flow({ stages, meta: [{ key: "a" }] }))).toEqual({
      action: "updated",
      output,
    });
    expect(await shop().get(flows, "review")).toMatchObject({ name: "Review", meta: [{ key: "a" }] });
    expect(await shop().get(flowStages, "done")).toMatchObject({ position: 0, name: "Ready", actions: [] });
    expect(await shop().get(flowStages, "draft")).toMatchObject({ position: 1, actions });
  });

  test("an update of a flow keeps absent fields, and clears those that are null", async () => {
    await addShape(shop(), "document", "document", {});
    const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
    await shop().done("flow/create", flow({ restrictions, meta: [{ key: "a", value: "b" }] }));
    await shop().done("flow/update", { identifier: "review", name: "Check" });
    expect(await shop().get(flows, "review")).toMatchObject({ name: "Check", restrictions });
    expect(await shop().all(flowStages)).toHaveLength(2);
    await shop().done("flow/update", { identifier: "review", restrictions: null, meta: null, stages: null });
    expect(await shop().get(flows, "review")).toMatchObject({ restrictions: null, meta: [] });
    expect(await shop().all(flowStages)).toEqual([]);
  });
});

describeOnEngines("items in a stage", (shop) => {
  let [one, two] = ["", ""];
  beforeEach(async () => {
    await prepare(shop());
    [one, two] = [await create(shop(), "document"), await create(shop(), "folder")];
    await shop().done("flow/create", flow());
  });

  const add = (items: object[], more: WrittenPayload = {}) =>
    ["item/flow/stage/addItems", { stageIdentifier: "draft", items, ...more }] as const;
  const placed = async () =>
    (await shop().all(flowItems))
      .map(({ flowIdentifier, stageIdentifier, itemId }) => `${flowIdentifier} ${stageIdentifier} ${itemId}`)
      .sort();

  test("items are refused a stage that does not exist, and removal from a flow that does not exist", async () => {
    expect(await shop().refused(...add([{ id: one }], { stageIdentifier: "nix" }))).toMatchObject({
      name: "FlowStageNotFoundError",
      statusCode: 404,
      errors: [{ path: ["stageIdentifier"] }],
    });
    expect(await shop().refused(...add([{ id: one }], { moveFromFlowIdentifier: "nix" }))).toMatchObject({
      name: "FlowNotFoundError",
      errors: [{ path: ["moveFromFlowIdentifier"] }],
    });
    const actionConfig = [{ stageIdentifier: "draft" }, { stageIdentifier: "nix" }];
    expect(await shop().refused(...add([{ id: one }], { actionConfig }))).toMatchObject({
      name: "FlowStageNotFoundError",
      errors: [{ path: ["actionConfig", 1, "stageIdentifier"] }],
    });
  });

  test("a stage takes at most 50 items, which must exist in their languages, once each, or takes none", async () => {
    const wrong: [items: object[], name: string, path: string, message: string][] = [
      [[{ id: one }, { id: unknownId }], "ItemNotFoundError", "items.1.id", unknownId],
      [[{ id: one }, { id: one }], "ValidationError", "items.1", "are the same item"],
      [Array(51).fill({ id: one }), "ValidationError", "items", "items lists 51; the limit is 50"],
      [[{ id: one, language: "de" }], "SettingNotFoundError", "items.0.language", '"de"'],
      [
        [{ id: one, language: "no" }],
        "ItemNotFoundError",
        "items.0.language",
        'nothing in the language "no"',
      ],
      [[{ id: shop().tenant.rootItemId }], "ConflictError", "items.0.id", "root folder"],
    ];
    for (const [items, name, path, message] of wrong) {
      const refusal = await shop().refused(...add(items));
      expect([refusal.name, refusal.errors[0]?.path.join(".")]).toEqual([name, path]);
      expect(refusal.errors[0]?.message).toContain(message);
    }
    expect(await placed()).toEqual([]);
  });

  test("items in a stage must have a shape that the flow accepts", async () => {
    const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
    await shop().done("flow/update", { identifier: "review", restrictions });
    const refusal = await shop().refused(...add([{ id: one }, { id: two }]));
    expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["items", 1, "id"] }] });
    expect(refusal.message).toContain('does not accept the shape "folder"');
    expect(refusal.message).toContain('it accepts "document"');
    expect(await placed()).toEqual([]);
  });

  test("an item in a flow may be added again when the flow no longer accepts its shape", async () => {
    await shop().done(...add([{ id: two }]));
    const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
    await shop().done("flow/update", { identifier: "review", restrictions });
    expect(await shop().done(...add([{ id: two }]))).toMatchObject({ action: "unchanged" });
  });

  test("a stage cannot be taken out of its flow while it has items", async () => {
    await shop().done(...add([{ id: one }]));
    const stages = [stage("done")];
    expect(await shop().refused("flow/update", { identifier: "review", stages })).toMatchObject({
      name: "FlowStageInUseError",
      statusCode: 409,
      message: 'The stage "draft" has 1 item; move them to another stage first',
    });
    await shop().done(...add([{ id: one }], { stageIdentifier: "done" }));
    expect((await shop().done("flow/update", { identifier: "review", stages })).action).toBe("updated");
  });

  test("an item is in a stage once, however often it is added, and moves within its flow", async () => {
    const output = { identifier: "draft" };
    const both = add([{ id: one, language: "en", version: "draft" }, { id: two }], {
      actionConfig: [{ waitIndividual: { until: "2030-01-01T00:00:00Z" } }],
    });
    expect(await shop().done(...both)).toEqual({ action: "updated", output });
    expect(await shop().done(...both)).toEqual({ action: "unchanged", output });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await placed()).toEqual([`review draft ${one}`, `review draft ${two}`].sort());
    await shop().done(...add([{ id: two }], { stageIdentifier: "done" }));
    expect(await placed()).toEqual([`review done ${two}`, `review draft ${one}`].sort());
  });

  test("an item that moves to another flow leaves the first one, and may do so again", async () => {
    await shop().done("flow/create", flow({ identifier: "other", stages: [stage("other")] }));
    const move = add([{ id: one }], { moveFromFlowIdentifier: "other" });
    expect(await shop().refused(...move)).toMatchObject({
      name: "ConflictError",
      message: `The item ${one} is not in the flow "other", to be moved from it`,
    });
    await shop().done(...add([{ id: one }], { stageIdentifier: "other" }));
    expect((await shop().done(...move)).action).toBe("updated");
    expect(await placed()).toEqual([`review draft ${one}`]);
    expect((await shop().done(...move)).action).toBe("unchanged");
  });

  test("a deleted item leaves its flows", async () => {
    await shop().done(...add([{ id: one }]));
    await shop().done("item/delete", { itemId: one });
    expect(await placed()).toEqual([]);
  });
});

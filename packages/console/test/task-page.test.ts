import { describe, expect, test } from "vitest";
import { parseEvent } from "../src/api/event-stream.ts";
import { actionsOf, followRefusal, retryRefusal, undoRefusal } from "../src/pages/task/actions-of.ts";
import { logsCommand, logsRequest, retryCommand } from "../src/pages/task/commands.ts";
import { differencesOf } from "../src/pages/task/compared-failures.ts";
import type { TaskDetails } from "../src/pages/task/documents.ts";
import { selectFailures } from "../src/pages/task/failures-file.ts";
import {
  expectedText,
  isTotalLoss,
  outcomeText,
  plannedMessage,
  repairedText,
  undoneText,
} from "../src/pages/task-model/outcome.ts";
import { operationsOf, outcomesOf, rateBetween } from "../src/pages/task-model/progress.ts";
import { reasonText, waitingNote } from "../src/pages/task-model/reason.ts";
import { fileNameOf, listedName, taskName } from "../src/pages/task-model/task.ts";

type Changes = Partial<Omit<TaskDetails, "progress">> & { progress?: Partial<TaskDetails["progress"]> };

function task({ progress, ...changes }: Changes = {}): TaskDetails {
  const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, published: 0, unpublished: 0 };
  const times = { startedAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
  return {
    ...{ id: "t", kind: "run", status: "complete", ofTask: null, undoneBy: null, key: "k", sha256: null },
    isOwnPlan: false,
    followedBy: null,
    ...{
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: "nina",
      startedAt: "2026-01-01T00:00:00Z",
      endedAt: "2026-01-01T00:01:00Z",
    },
    ...{
      heldAt: null,
      startAt: null,
      prunedAt: null,
      errorCount: 0,
      warningCount: 0,
      info: null,
      topFailure: null,
      strict: false,
      retries: [],
    },
    ...{
      destructive: null,
      maxFailures: null,
      onFailure: null,
      holdAfter: null,
      holdOnFailures: null,
      include: null,
    },
    ...changes,
    progress: {
      ...{
        total: 10,
        processed: 10,
        succeeded: 10,
        partial: 0,
        failed: 0,
        skipped: 0,
        toExecute: 10,
        repaired: 0,
      },
      ...none,
      ...times,
      ...{ waitingFor: null, operationsPerSecond: null, secondsLeft: null },
      ...progress,
    },
  };
}

describe("the actions of a task", () => {
  const failures = { total: 10, processed: 10, succeeded: 7, failed: 3 };
  const retried = (changes: Partial<TaskDetails["retries"][number]>): TaskDetails["retries"] => [
    {
      ...{ key: "uploads/spring.json", ofTask: "t" },
      ...{ id: "r", kind: "retry", status: "complete", undoneBy: null, include: ["FAILED", "NOT_ATTEMPTED"] },
      ...{
        endedAt: "2026-01-01T00:02:00Z",
        heldAt: null,
        startAt: null,
        info: null,
        progress: task().progress,
      },
      ...changes,
    },
  ];
  test.each<[string, TaskDetails, string[]]>([
    ["that was pruned are none", task({ prunedAt: "2026-01-02T00:00:00Z", progress: { failed: 1 } }), []],
    ["that was not started", task({ status: "pending", endedAt: null }), ["start", "cancel"]],
    [
      "that is held before its date",
      task({
        status: "pending",
        endedAt: null,
        startAt: "2027-01-01T00:00:00Z",
        heldAt: "2026-01-01T00:00:00Z",
      }),
      ["resume", "cancel"],
    ],
    ["that runs", task({ status: "running", endedAt: null }), ["hold", "cancel"]],
    [
      "that is held",
      task({ status: "running", endedAt: null, heldAt: "2026-01-01T00:00:30Z" }),
      ["resume", "cancel"],
    ],
    ["that is a plan and runs", task({ kind: "plan", status: "running", endedAt: null }), ["cancel"]],
    ["that is a plan of a file", task({ kind: "plan" }), ["follow"]],
    ["that is a plan which a run has followed", task({ kind: "plan", followedBy: "r" }), []],
    ["that is a plan of an undo", task({ kind: "plan", ofTask: "t0" }), ["undo"]],
    ["that is a plan and failed are none", task({ kind: "plan", ofTask: "t0", status: "error" }), []],
    ["without failures", task(), ["undo"]],
    ["with a failure", task({ progress: { succeeded: 9, failed: 1 } }), ["retry", "undo"]],
    [
      "that ended before its end",
      task({ status: "error", progress: { processed: 4, succeeded: 4 } }),
      ["retry", "undo"],
    ],
    [
      "that is being retried",
      task({ progress: failures, retries: retried({ status: "running" }) }),
      ["undo"],
    ],
    [
      "whose failures a retry has repaired",
      task({ progress: { ...failures, repaired: 3 }, retries: retried({}) }),
      ["undo"],
    ],
    [
      "with failures that a retry has left",
      task({ progress: { ...failures, repaired: 2 }, retries: retried({}) }),
      ["retry", "undo"],
    ],
    [
      "whose retry was undone",
      task({ progress: failures, retries: retried({ undoneBy: "u" }) }),
      ["retry", "undo"],
    ],
    [
      "whose rest a retry has executed",
      task({ status: "error", progress: { processed: 4, succeeded: 4 }, retries: retried({}) }),
      ["undo"],
    ],
    [
      "that is an undo with a failure",
      task({ kind: "undo", progress: { succeeded: 9, failed: 1 } }),
      ["undo"],
    ],
    [
      "that executed nothing",
      task({ status: "error", progress: { total: null, toExecute: null, succeeded: 0 } }),
      [],
    ],
  ])("%s", (_name, given, steps) => {
    expect(actionsOf(given)).toEqual(steps);
  });
});

const lost = { total: 1_954, processed: 1_954, succeeded: 0, failed: 1_954 };

describe("the outcome of an undo", () => {
  const undo = (changes: Changes) => task({ kind: "undo", ...changes });
  test.each<[string, TaskDetails, string]>([
    ["of which all failed", undo({ progress: lost }), "Not undone: 1,954 of 1,954 operations failed"],
    [
      "of which some failed",
      undo({ progress: { succeeded: 7, failed: 2, partial: 1 } }),
      "Undone in part: 2 of 10 operations failed, 1 partly failed",
    ],
    [
      "that was cancelled",
      undo({ status: "error", progress: { processed: 4, succeeded: 4 } }),
      "Undone in part: 4 operations, 6 not attempted",
    ],
    ["that runs", undo({ status: "running", endedAt: null }), "Being undone: 10 operations"],
    ["that undid all", undo({}), "Undone: 10 operations"],
  ])("%s", (_name, given, words) => {
    expect(`${undoneText(given)}: ${outcomeText(given)}`).toBe(words);
  });
});

test("a task of which nothing succeeded has failed, but not if its failures are repaired", () => {
  expect(isTotalLoss(task({ progress: lost }).progress)).toBe(true);
  expect(isTotalLoss(task({ progress: { ...lost, repaired: 1 } }).progress)).toBe(false);
  expect(isTotalLoss(task({ progress: { total: 0, processed: 0, succeeded: 0 } }).progress)).toBe(false);
});

test("the outcome of a retry has how many operations it repaired, and how many failed again", () => {
  const progress = { toExecute: 5, succeeded: 3, failed: 2 };
  expect(repairedText(task({ progress }))).toBe("3 of 5 operations repaired, 2 failed");
  expect(repairedText(task({ progress: { toExecute: 5, succeeded: 0 } }))).toBe("no operations repaired");
});

describe("an action that would do nothing says why:", () => {
  const planned = { total: 3, processed: 3, succeeded: 1, unchanged: 1, failed: 2 };
  test("a plan of which nothing would succeed", () => {
    const nothing = "3 operations: 1 would not change, 2 would fail";
    expect(expectedText(task({ progress: planned }).progress)).toBe(nothing);
    expect(followRefusal(task({ kind: "plan", progress: planned }))).toBe(
      `The run would do nothing (${nothing}).`,
    );
    const ofUndo = task({ kind: "plan", ofTask: "t", progress: planned });
    expect(followRefusal(ofUndo)).toBe(`The undo would do nothing (${nothing}).`);
    expect(followRefusal(task({ kind: "plan", progress: { ...planned, created: 1 } }))).toBeUndefined();
  });
  test("the retry of no operations, or of a task whose log was removed meanwhile", () => {
    expect(retryRefusal(task(), 0)).toBe("No operations are selected.");
    expect(retryRefusal(task({ prunedAt: "2026-01-02T00:00:00Z" }), 0)).toMatch(/log was removed/);
    expect(retryRefusal(task(), 1)).toBeUndefined();
  });
  test("the undo of a task that changed nothing, or that was undone", () => {
    expect(undoRefusal(task({ progress: planned }), undefined)).toMatch(/changed nothing in 3 operations/);
    const run = task({ undoneBy: "u", progress: { created: 10 } });
    expect(undoRefusal(run, undefined)).toBeUndefined();
    expect(undoRefusal(run, task({ kind: "undo" }))).toMatch(/^It has already been undone/);
    expect(undoRefusal(run, task({ kind: "undo", endedAt: null }))).toMatch(/already running/);
    expect(undoRefusal(run, task({ kind: "undo", progress: lost }))).toBeUndefined();
    expect(undoRefusal(run, task({ kind: "undo", undoneBy: "v" }))).toBeUndefined();
  });
});

test("a message of a plan says what would be done", () => {
  expect(plannedMessage('created product "fern"')).toBe('would create product "fern"');
  expect(plannedMessage('unchanged: shape "shelf"')).toBe('would not change shape "shelf"');
  expect(plannedMessage('No product variant has the SKU "a"')).toBe('No product variant has the SKU "a"');
  expect(plannedMessage(null)).toBeNull();
});

test("a task is named by its kind and file", () => {
  const key = "6561f0/mass-operations/0f0e/spring.json";
  expect(taskName({ kind: "run", ofTask: "p", key })).toBe("run spring.json");
  expect(taskName({ kind: "undo", ofTask: "t", key })).toBe("undo of spring.json");
  expect(taskName({ kind: "plan", ofTask: "t", key })).toBe("plan to undo spring.json");
  expect(taskName({ kind: "plan", ofTask: null, key: "" })).toBe("plan of a file");
});

describe("the operations that a task will execute", () => {
  test("are, for an undo, not those that wrote nothing", () => {
    const undo = task({ kind: "undo", progress: { total: 23, processed: 23, skipped: 22, succeeded: 1 } });
    expect(operationsOf(undo)).toBe(1);
  });
  test("are, for a retry, those it selects", () => {
    expect(operationsOf(task({ kind: "retry", progress: { total: 23, skipped: 5, toExecute: 2 } }))).toBe(2);
  });
  test("are unknown before the file is read", () => {
    expect(operationsOf(task({ progress: { total: null } }))).toBeNull();
  });
});

test("repaired operations are no longer among the failures", () => {
  const { progress } = task({ progress: { succeeded: 5, partial: 2, failed: 3, repaired: 4 } });
  expect(outcomesOf(progress)).toEqual({ succeeded: 5, repaired: 4, partial: 1, failed: 0 });
});

describe("the name of a task's file", () => {
  test("is the one it was uploaded with", () => {
    expect(fileNameOf("6561f0/mass-operations/0f0e/spring prices.json")).toBe("spring prices.json");
  });
  test("is unknown without a key", () => {
    expect(fileNameOf("")).toBeUndefined();
  });
});

describe("the rate between two states of a task", () => {
  const later = (updatedAt: string, succeeded: number) => task({ progress: { updatedAt, succeeded } });
  test("is unknown if less than a second lies between them, or there is no earlier state", () => {
    expect(rateBetween(task(), later("2026-01-01T00:00:00.400Z", 500))).toBeUndefined();
    expect(rateBetween(undefined, task())).toBeUndefined();
  });
  test("is that of the operations executed between their commits", () => {
    expect(rateBetween(task(), later("2026-01-01T00:00:02Z", 510))).toEqual({
      at: Date.parse("2026-01-01T00:00:02Z"),
      rate: 250,
    });
  });
});

test("an event of a stream has a name and data; a comment has neither", () => {
  expect(parseEvent('event: next\ndata: {"data":1}')).toEqual({ name: "next", data: '{"data":1}' });
  expect(parseEvent("event: complete\r\ndata:")).toEqual({ name: "complete", data: "" });
  expect(parseEvent(": the service stops")).toEqual({ name: "", data: "" });
});

describe("a command for a task", () => {
  const named = { id: "6561f0", tenant: "shop", url: "https://lading.example" };
  const group = { errorName: "SkuTakenError", statusCode: 409, intent: "product/upsert", unrepaired: true };
  test("quotes what a shell would read otherwise, and has no secret", () => {
    const cause = 'It\'s taken: `$(rm -rf ~)` "…"';
    expect(logsCommand(named, { ...group, cause })).toBe(
      "lading mass-operation logs 6561f0 --cause 'It'\\''s taken: `$(rm -rf ~)` \"…\"' --error-name SkuTakenError " +
        "--status-code 409 --intent product/upsert --unrepaired --tenant shop --url https://lading.example",
    );
    const request = logsRequest(named, { ...group, cause });
    expect(request).toContain("--data-urlencode 'cause=It'\\''s taken: `$(rm -rf ~)` \"…\"'");
    expect(request).toContain('-H "X-Service-Access-Token-Secret: $LADING_ACCESS_TOKEN_SECRET"');
    expect(request).toMatch(/^curl -G https:\/\/lading.example\/@shop\/tasks\/6561f0\/operations.jsonl /);
  });
  test("lets a terminal act on no control character of a pasted cause", () => {
    expect(logsRequest(named, { ...group, cause: "it's \\\u0003\nreboot\u0085" })).toContain(
      "--data-urlencode $'cause=it\\'s \\\\\\003\\012reboot\\302\\205'",
    );
  });
  test("names outcomes as the command line does", () => {
    expect(retryCommand(named, ["FAILED", "NOT_ATTEMPTED"])).toContain(
      "--include failed not-attempted --tenant",
    );
  });
});

describe("the failures of one cause", () => {
  const one = '{"_source": {"task":"t","index":3}, "intent": "a",\n{"n": 1e400}}'.replace(
    ",\n{",
    ',\n"b": {',
  );
  const two =
    '{"intent": "b", "list": [{"x": 1},\n{"y": 12345678901234567890}], "_source": {"task":"t","index":70}}';
  const file = `{"version": "1.0.0", "operations": [\n${one},\n${two}]}\n`.replace("}}]}", "}}\n]}");
  test("are operations of the file of failures, byte for byte", () => {
    expect(selectFailures(file, new Set([70]))).toBe(`{"version": "1.0.0", "operations": [\n${two}\n]}\n`);
    expect(selectFailures(file, new Set([3, 70]))).toBe(file);
  });
  test("may be none", () => {
    expect(selectFailures('{"version": "1.0.0", "operations": [\n\n]}\n', new Set([3]))).toBe(
      '{"version": "1.0.0", "operations": [\n\n]}\n',
    );
  });
});

describe("two runs of a file differ", () => {
  const failed = (...indexes: number[]) =>
    indexes.map((index) => ({ index, intent: "a", message: `no ${index}` }));
  test("in the operations that failed in one only, or with another message", () => {
    const there = [...failed(2), { index: 5, intent: "a", message: "another reason" }];
    expect(
      differencesOf(
        { entries: failed(2, 5, 9), end: Number.POSITIVE_INFINITY },
        { entries: there, end: Number.POSITIVE_INFINITY },
      ),
    ).toEqual([
      { index: 5, intent: "a", here: "no 5", there: "another reason" },
      { index: 9, intent: "a", here: "no 9", there: undefined },
    ]);
  });
  test("not in those that are beyond what was read of one of them", () => {
    const here = { entries: failed(1, 4), end: 4 };
    const there = { entries: failed(4, 8), end: Number.POSITIVE_INFINITY };
    expect(differencesOf(here, there).map(({ index }) => index)).toEqual([1]);
  });
});

describe("a task in a list", () => {
  const cause = "No stock location has this identifier";
  const ended = { topFailure: { cause, count: 239 }, progress: { failed: 239 } };

  test("is named by its file, and after what it belongs to", () => {
    const key = "uploads/spring.json";
    expect(listedName(task({ key }))).toBe("spring.json");
    expect(listedName(task({ key, kind: "retry", ofTask: "t" }))).toBe("Retry of spring.json");
    expect(listedName(task({ key, kind: "plan", ofTask: "t" }))).toBe("Plan to undo spring.json");
    expect(listedName(task({ key: "" }))).toBe("A file");
  });

  test("gives the most frequent cause of a complete task's failures as its reason", () => {
    expect(reasonText(task(ended))).toBe(`239 × ${cause}`);
    expect(reasonText(task({ ...ended, undoneBy: "u" }))).toBe(`followed by an undo: 239 × ${cause}`);
    expect(reasonText(task({ ...ended, progress: { failed: 239, repaired: 239 } }))).toBe(
      `repaired: 239 × ${cause}`,
    );
    expect(reasonText(task())).toBeNull();
  });

  test("says why it is held or waits, and that it failed itself before its causes", () => {
    const open = { endedAt: null, status: "running" } as const;
    const heldFor = "a call of resumeBulkTask: 12 operations were executed (holdAfter)";
    expect(
      reasonText(task({ ...open, heldAt: "2026-01-01T00:00:00Z", progress: { waitingFor: heldFor } })),
    ).toBe("12 operations were executed (holdAfter)");
    expect(reasonText(task({ ...open, progress: { waitingFor: "a runner" } }))).toBe("waiting for a runner");
    expect(reasonText(task({ ...ended, info: { error: "Cancelled by nina", errorName: "Cancelled" } }))).toBe(
      "Cancelled by nina",
    );
  });

  test("says what it waits for without calls of the API and ids", () => {
    const noteOf = (waitingFor: string | null, changed: object = {}) =>
      waitingNote(task({ endedAt: null, status: "started", progress: { waitingFor }, ...changed }));
    expect(noteOf("a call of startMassOperationBulkTask", { status: "pending" })).toMatch(/^Not started: /);
    const startAt = "2027-01-01T00:00:00Z";
    expect(noteOf(`its date, ${startAt}`, { status: "pending", startAt })).toMatch(
      /^Starts at .*2027.*, by the clock of the service’s database\.$/,
    );
    const heldFor = "a call of resumeBulkTask: on request, when 12 operations were executed";
    expect(noteOf(heldFor, { heldAt: "2026-01-01T00:00:00Z" })).toBe(
      "Held: on request, when 12 operations were executed",
    );
    expect(noteOf("bulk task 01a2, which was started earlier and is held")).toBe(
      "Waiting for an earlier task, which is held",
    );
    expect(noteOf("bulk task 01a2, which comes first")).toBe("Waiting for a task that comes first");
    expect(noteOf("bulk task 01a2, which comes first and is held")).toBe(
      "Waiting for a task that comes first, which is held",
    );
    expect(noteOf(null)).toBeNull();
    expect(noteOf("a runner", { endedAt: "2026-01-01T00:00:00Z" })).toBeNull();
  });
});

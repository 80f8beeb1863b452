import { existsSync, readFileSync } from "node:fs";
import { fileLimits, renderLimits, templateLimits } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { mcpLimits } from "../../packages/cli/src/mcp/limits.ts";
import { ceilings } from "../../packages/schema/src/content/limits.ts";
import { problemLimit } from "../../packages/schema/src/schema-walk/problems-in.ts";
import { picturePathLength } from "../../packages/schema/src/templates/picture-path.ts";
import { customerLimits } from "../../packages/service/src/domain/customer/parents.ts";
import { pageLimits } from "../../packages/service/src/domain/dump/dumped-tenant.ts";
import { mostConditions } from "../../packages/service/src/domain/export/where.ts";
import { flowLimits } from "../../packages/service/src/domain/flow/check.ts";
import { maxSubtree } from "../../packages/service/src/domain/item/publishing.ts";
import { orderLimits } from "../../packages/service/src/domain/order/check.ts";
import { maxHistory } from "../../packages/service/src/domain/path/item-paths.ts";
import { priceListLimits } from "../../packages/service/src/domain/price-list/check.ts";
import { settingLimits } from "../../packages/service/src/domain/settings/limits.ts";
import { contractLimits } from "../../packages/service/src/domain/subscription-contract/check.ts";
import { topicLimits } from "../../packages/service/src/domain/topic/topics.ts";
import { causeLength } from "../../packages/service/src/errors.ts";
import { waitingQueries } from "../../packages/service/src/graphql/execution/large-queries.ts";
import { longestTaskText, mostActivityHours } from "../../packages/service/src/graphql/queries/bulk-tasks.ts";
import { searchTextLength } from "../../packages/service/src/graphql/queries/search.ts";
import { maximumKeys } from "../../packages/service/src/graphql/validation/check-arguments.ts";
import {
  answerLimits,
  eventLimits,
  largeQuery,
  longestErrorMessage,
  maximumAliases,
  maximumDepth,
  maximumErrors,
  maximumFailureGroups,
  maximumLargeReads,
  maximumLastChanges,
  maximumMessages,
  maximumNumberSigns,
  maximumOperations,
  maximumRelated,
  maximumTokens,
} from "../../packages/service/src/graphql/validation/query-limits.ts";
import { reportLimits } from "../../packages/service/src/http/console/csp-reports.ts";
import { claimLimits } from "../../packages/service/src/http/console/oidc/claims.ts";
import { providerLimits } from "../../packages/service/src/http/console/oidc/provider.ts";
import { maximumMembers } from "../../packages/service/src/http/limits/json-body.ts";
import { longQuery } from "../../packages/service/src/http/limits/long-queries.ts";
import { unreadLimit } from "../../packages/service/src/http/limits/unread-answers.ts";
import { streamLimits } from "../../packages/service/src/http/open-streams.ts";
import { fetchLimits } from "../../packages/service/src/media/fetch/limits.ts";
import { headerBytes } from "../../packages/service/src/media/image-types.ts";
import { thumbnailLimits } from "../../packages/service/src/media/thumbnails/limits.ts";
import { charactersAtOnce } from "../../packages/service/src/runner/execute/batch-size.ts";
import { planLimits } from "../../packages/service/src/runner/services.ts";
import { longestRetention } from "../../packages/service/src/settings/settings.ts";
import { daysAhead } from "../../packages/service/src/storage/bulk-tasks/dated.ts";
import { searchedTasks } from "../../packages/service/src/storage/bulk-tasks/find.ts";
import { listLimits, mostCounted } from "../../packages/service/src/storage/bulk-tasks/overview.ts";
import { undosInRow } from "../../packages/service/src/storage/bulk-tasks/undos/undo-rows.ts";
import { unnamedHours } from "../../packages/service/src/storage/bulk-tasks/uploads.ts";
import { topicPage } from "../../packages/service/src/storage/pages/exported.ts";
import { mostSnapshots } from "../../packages/service/src/storage/pages/snapshot.ts";
import { searchedValues } from "../../packages/service/src/storage/queries/search.ts";
import { listedGroups } from "../../packages/service/src/storage/task-details/failures.ts";
import { searchLimits } from "../../packages/service/src/storage/task-details/log-search.ts";
import { untakenHours } from "../../packages/service/src/storage/task-details/pictures.ts";
import { tenantConnections } from "../../packages/service/src/storage/tenant-shares.ts";
import { initialSettings } from "../../packages/service/src/storage/tenants/tenant.ts";
import { largestBefore } from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { changeLimits } from "../../packages/service/src/tasks/changes/changes.ts";
import { wholeRowLimits } from "../../packages/service/src/tasks/changes/whole-rows.ts";
import { searchedTextLength } from "../../packages/service/src/tasks/log/log-filter.ts";
import { operationTextBytes } from "../../packages/service/src/tasks/log/operation.ts";
import { logPageBytes } from "../../packages/service/src/tasks/logs.ts";
import { taskLimits } from "../../packages/service/src/tasks/new-task.ts";
import { pictureLimits } from "../../packages/service/src/tasks/pictures.ts";
import { accessTokenNameLength } from "../../packages/service/src/tenants/access-tokens.ts";
import { consoleLimits } from "../../packages/service/src/tenants/console-sessions.ts";
import { groupLimits } from "../../packages/service/src/tenants/group-roles.ts";
import { personLimits } from "../../packages/service/src/tenants/persons.ts";
import { webhookLimits } from "../../packages/service/src/webhooks/limits.ts";
import { comparisonLimits } from "../../packages/transform/src/diff/reading/dump-reader.ts";
import { conversionLimits } from "../../packages/transform/src/limits.ts";
import { codes, page, rows } from "./pages.ts";

const file = "docs/limits.md";
const { uploadMaxBytes, uploadLifetimeSeconds, maxWaitingTasks, keepBeforeDays } = initialSettings();

/** Every named limit in the code, by name: `ceilings.images`, `maxSubtree`. */
const named = Object.entries({
  ...{
    fileLimits,
    templateLimits,
    renderLimits,
    ceilings,
    customerLimits,
    orderLimits,
    topicLimits,
    flowLimits,
    maxHistory,
    contractLimits,
    priceListLimits,
    taskLimits,
    planLimits,
    changeLimits,
    wholeRowLimits,
  },
  ...{
    settingLimits,
    longestErrorMessage,
    maximumAliases,
    maximumErrors,
    answerLimits,
    eventLimits,
    largeQuery,
    longQuery,
    maximumRelated,
    maximumFailureGroups,
    maximumMessages,
    maximumLastChanges,
    maximumOperations,
    maximumNumberSigns,
    waitingQueries,
    unreadLimit,
    maximumLargeReads,
    tenantConnections,
    searchLimits,
    searchedTextLength,
    longestRetention,
  },
  ...{ uploadMaxBytes, uploadLifetimeSeconds, maxWaitingTasks, keepBeforeDays, largestBefore },
  ...{
    problemLimit,
    maxSubtree,
    causeLength,
    listedGroups,
    operationTextBytes,
    searchTextLength,
    searchedValues,
    mostSnapshots,
    pageLimits,
    mostConditions,
    topicPage,
  },
  ...{ longestTaskText, mostActivityHours, searchedTasks, mostCounted, listLimits },
  ...{ daysAhead, undosInRow, conversionLimits, comparisonLimits },
  ...{ maximumTokens, maximumDepth, maximumKeys, maximumMembers, charactersAtOnce },
  ...{
    accessTokenNameLength,
    logPageBytes,
    streamLimits,
    fetchLimits,
    thumbnailLimits,
    webhookLimits,
    headerBytes,
    consoleLimits,
    claimLimits,
    groupLimits,
    personLimits,
    providerLimits,
    reportLimits,
    pictureLimits,
    picturePathLength,
    unnamedHours,
    untakenHours,
    mcpLimits,
  },
}).flatMap(([name, limit]): [string, number][] =>
  typeof limit === "number"
    ? [[name, limit]]
    : Object.entries(limit).map(([key, value]) => [`${name}.${key}`, value as number]),
);

const limits = rows(page(file)).map(([what = "", limit = "", where = ""]) => ({ what, limit, where }));

const units: Readonly<Record<string, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** The numbers in a text: `1 to 1,000` → 1, 1000; `1 GiB` → 1073741824. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/(\d[\d,]*)(?: ([MG]iB))?/g)].map(
    ([, digits, unit]) => Number(digits?.replaceAll(",", "")) * (units[unit ?? ""] ?? 1),
  );
}

function literalsIn(path: string): number[] {
  const folder = ["service", "schema"]
    .map((name) => `packages/${name}/src/`)
    .find((at) => existsSync(at + path));
  const source = readFileSync(`${folder}${path}`, "utf8");
  return [...source.matchAll(/\b\d[\d_]*(?:e\d+)?\b/g)].map(([literal]) =>
    Number(literal.replaceAll("_", "")),
  );
}

describe(file, () => {
  test.each(named)("docs/limits.md has %s, which is %i", (name, value) => {
    const row = limits.find(({ where }) => codes(where).includes(name));
    expect(numbersIn(row?.limit ?? "")).toContain(value);
  });

  const inSources = limits.filter(({ where, limit }) => where.includes(".ts`") && !limit.includes("MiB"));

  test.each(inSources)(
    "docs/limits.md is right that the limit of $what, $limit, is in $where",
    ({ limit, where }) => {
      const known = literalsIn(codes(where)[0] as string);
      const factor = limit.includes("seconds") ? 1_000 : 1;
      for (const number of numbersIn(limit).map((n) => n * factor)) expect(known).toContain(number);
    },
  );

  test("docs/limits.md names only what the code has", () => {
    const names = limits.flatMap(({ where }) => codes(where)).filter((name) => !/\.ts$|^LADING_/.test(name));
    expect(names.filter((name) => !named.some(([known]) => known === name))).toEqual([]);
  });
});

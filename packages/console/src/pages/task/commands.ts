import type { FailureGroup } from "./documents.ts";

interface Named {
  id: string;
  tenant: string;
  url: string;
}

type Filter = Pick<FailureGroup, "cause" | "errorName" | "statusCode" | "intent"> & { unrepaired: boolean };

/**
 * An argument of a POSIX shell. A terminal acts on control characters even between quotes, so they are written as
 * octal numbers (POSIX.1-2024, 2.2.4).
 */
function quoted(text: string): string {
  if (/^[\w./:@-]+$/.test(text)) return text;
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/[\\']/g, "\\$&").replace(/\p{Cc}/gu, octal)}'`;
}

const octal = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

const lading = (words: readonly string[], { tenant, url }: Named) =>
  ["lading", "mass-operation", ...words, "--tenant", tenant, "--url", url].map(quoted).join(" ");

/** The command that lists the failures of a cause. The token is taken from the environment. */
export function logsCommand(
  named: Named,
  { cause, errorName, statusCode, intent, unrepaired }: Filter,
): string {
  const filters = [
    "--cause",
    cause,
    "--error-name",
    errorName,
    "--status-code",
    `${statusCode}`,
    "--intent",
    intent,
  ];
  return lading(["logs", named.id, ...filters, ...(unrepaired ? ["--unrepaired"] : [])], named);
}

/** The command that retries operations of a task. */
export const retryCommand = (named: Named, include: readonly string[]) =>
  lading(
    ["retry", named.id, "--include", ...include.map((outcome) => outcome.toLowerCase().replace("_", "-"))],
    named,
  );

/** The request for the failures of a cause. The token is taken from the environment. */
export function logsRequest({ id, tenant, url }: Named, filter: Filter): string {
  const parameters = {
    cause: filter.cause,
    errorName: filter.errorName,
    statusCode: filter.statusCode,
    operationTypeStartsWith: filter.intent,
    ...(filter.unrepaired && { unrepaired: true }),
  };
  return [
    `curl -G ${quoted(`${url}/@${tenant}/tasks/${id}/operations.jsonl`)}`,
    '-H "X-Service-Access-Token-Id: $LADING_ACCESS_TOKEN_ID"',
    '-H "X-Service-Access-Token-Secret: $LADING_ACCESS_TOKEN_SECRET"',
    ...Object.entries(parameters).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ].join(" \\\n  ");
}

import { versionAndCommit } from "@lading/service/version";
import { networkReason } from "../service/graphql.ts";
import type { Finding } from "./finding.ts";

/** Clock differences in milliseconds: up to `fine` harmless, above `bearable` forms and tokens fail. */
const clockLimits = { fine: 5_000, bearable: 60_000 };
/** Timeout of a request, in milliseconds. */
const timeout = 10_000;

/** Checks that the service answers and, if so, its clock and its version. The first finding says whether it does. */
export async function serviceFindings(url: string): Promise<[Finding, ...Finding[]]> {
  const what = "service";
  const asked = Date.now();
  try {
    const ready = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(timeout) });
    const clock = clockFinding(ready.headers.get("date"), asked, Date.now());
    if (ready.ok) {
      const version = await versionFinding(url);
      return [{ level: "ok", what, detail: `${url} is ready` }, ...clock, ...version];
    }
    const { message = ready.statusText }: { message?: string } = await ready.json().catch(() => ({}));
    const detail = `${url}/health/ready answers ${ready.status}: ${message}`;
    return [{ level: "problem", what, detail }, ...clock];
  } catch (error) {
    const reason = networkReason(error instanceof Error && error.cause ? error.cause : error);
    const detail = `${url} cannot be reached (${reason}): is \`lading serve\` running? --url names another`;
    return [{ level: "problem", what, detail }];
  }
}

/** Compares the clocks by the time of an answer, which has whole seconds. */
function clockFinding(date: string | null, asked: number, answered: number): Finding[] {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return [];
  const ahead = Math.max(0, asked - (theirs + 1_000), theirs - answered);
  const what = "clock";
  if (ahead <= clockLimits.fine)
    return [{ level: "ok", what, detail: "agrees with the clock of the service" }];
  const level = ahead <= clockLimits.bearable ? "note" : "problem";
  const detail =
    `differs by ${Math.round(ahead / 1000)} s from that of the service, ${new Date(theirs).toISOString()}: ` +
    "upload forms and tokens expire too early or too late; synchronize both by NTP";
  return [{ level, what, detail }];
}

/** Compares the versions; nothing where the metrics are closed to this machine. */
async function versionFinding(url: string): Promise<Finding[]> {
  const what = "version";
  const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(timeout) }).catch(
    () => undefined,
  );
  const text = answer?.ok ? await answer.text().catch(() => "") : "";
  const [, theirs] = /^lading_build_info\{version="([\w.+-]{1,40})"/m.exec(text) ?? [];
  if (theirs === undefined) return [];
  const { version: ours } = versionAndCommit();
  if (theirs === ours) return [{ level: "ok", what, detail: `the service runs ${theirs}, too` }];
  return [{ level: "note", what, detail: `the service runs ${theirs}, this command is ${ours}` }];
}

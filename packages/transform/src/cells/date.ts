import { quoted } from "@lading/schema/internal";
import { CellError } from "../issues.ts";

interface DateSettings {
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
}

/** The parts of a date in a format, with the digits that each has. */
const parts = {
  YYYY: ["year", "\\d{4}"],
  MM: ["month", "\\d{2}"],
  M: ["month", "\\d{1,2}"],
  DD: ["day", "\\d{2}"],
  D: ["day", "\\d{1,2}"],
  HH: ["hour", "\\d{2}"],
  H: ["hour", "\\d{1,2}"],
  mm: ["minute", "\\d{2}"],
  ss: ["second", "\\d{2}"],
} as const;

const partPattern = /YYYY|MM?|DD?|HH?|mm|ss|./gsu;

const iso =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}(?:\.\d{1,3})?))?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/;

/** Makes the reader of a column's dates. A date becomes text such as `2026-01-31T12:00:00.000Z`. */
export function dateReader({ format, zone = "Z" }: DateSettings): (text: string) => string {
  const pattern = format === undefined ? iso : patternOf(format);
  return (text) => {
    const found = pattern.exec(text)?.groups;
    const date = found && instantOf(found, zone);
    if (date !== undefined) return date;
    const wanted = format ?? "2026-01-31 or 2026-01-31T12:00:00Z";
    throw new CellError("InvalidDate", `${quoted(text)} is not a date of the form ${wanted}`);
  };
}

/** Says what is wrong with a format; undefined for one that can be used. */
export function objectionToFormat(format: string): string | undefined {
  const names = (format.match(partPattern) ?? []).flatMap((part) => (isPart(part) ? [parts[part][0]] : []));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `the format has the ${twice} twice`;
  const missing = (["year", "month", "day"] as const).find((name) => !names.includes(name));
  if (missing === undefined) return undefined;
  return `the format has no ${missing}; it is made of ${Object.keys(parts).join(", ")}`;
}

const isPart = (text: string): text is keyof typeof parts => Object.hasOwn(parts, text);

function patternOf(format: string): RegExp {
  const source = (format.match(partPattern) ?? []).map((part) =>
    isPart(part) ? `(?<${parts[part][0]}>${parts[part][1]})` : `\\u{${part.codePointAt(0)!.toString(16)}}`,
  );
  return new RegExp(`^${source.join("")}$`, "u");
}

/** The date and time in UTC; undefined for one that is not in the calendar. */
function instantOf(found: Readonly<Record<string, string | undefined>>, zone: string): string | undefined {
  const { year = "", month = "", day = "", hour = "0", minute = "0", second = "0" } = found;
  const [whole = "0", fraction = "0"] = second.split(".");
  const milliseconds = Number(fraction.padEnd(3, "0"));
  const fields = [year, Number(month) - 1, day, hour, minute, whole].map(Number);
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = fields;
  const date = new Date(0);
  date.setUTCFullYear(y, m, d);
  date.setUTCHours(h, min, s, milliseconds);
  const isReal = date.getUTCMonth() === m && date.getUTCDate() === d && min < 60 && s < 60;
  if (!isReal) return undefined;
  const instant = new Date(date.getTime() - offsetOf(found.zone ?? zone) * 60_000);
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 0 ? undefined : instant.toISOString();
}

/** The offset of a time zone from UTC, in minutes. */
function offsetOf(zone: string): number {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

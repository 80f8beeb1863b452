import { InvalidArgumentError } from "commander";

const units: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** `90d`, `12h`, `30m` from now, or a date, as ISO 8601. */
export function expiry(text: string): string {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = unit ? Date.now() + Number(number) * units[unit]! * 1_000 : Date.parse(text);
  if (Number.isNaN(time) || (!unit && !/^\d{4}-\d{2}-\d{2}/.test(text))) {
    throw new InvalidArgumentError(
      `"${text}" is neither a duration (30m, 12h, 90d) nor a date (2030-01-31 or 2030-01-31T12:00:00Z).`,
    );
  }
  return new Date(time).toISOString();
}

/** The reader's languages. They decide about numbers and times; words and units are English. */
const locales = navigator.languages;

const whole = new Intl.NumberFormat(locales, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(locales, { maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(locales, { maximumSignificantDigits: 2 });

/** `1234567` → `1,234,567` */
export const numberText = (value: number) => whole.format(value);

/** The character before decimal places. */
export const decimalMark = tenths.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** `12.50 EUR`, `1,200 JPY`: the currency's decimal places, or up to six of an amount that has more. */
export function moneyText(amount: number, currency: string | null | undefined): string {
  if (!currency) return `${amount}`;
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const style = { style: "currency", currency, currencyDisplay: "code", maximumFractionDigits: 6 } as const;
  const parts = new Intl.NumberFormat(locales, style).formatToParts(amount);
  const figures = parts.filter(({ type }) => type !== "currency" && type !== "literal");
  return `${figures.map(({ value }) => value).join("")} ${currency}`;
}

/** `1 operation`, `4,210 operations` */
export const countOf = (count: number, noun: string, plural = `${noun}s`) =>
  `${numberText(count)} ${count === 1 ? noun : plural}`;

/** A rate per second: `3,120/s`, `4.2/s`. */
export const rateText = (perSecond: number) =>
  `${perSecond >= 10 ? whole.format(perSecond) : oneDigit.format(perSecond)}/s`;

/** `99.9 %`; `100 %` only for the whole. */
export function percentText(part: number, total: number): string {
  if (total === 0) return "0 %";
  return `${tenths.format(Math.floor((part / total) * 1000) / 10)} %`;
}

/** Milliseconds as `<0.1 ms`, `0.4 ms`, `850 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 0.1) return "<0.1 ms";
  if (milliseconds < 10) return `${tenths.format(milliseconds)} ms`;
  if (milliseconds < 1_000) return `${whole.format(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return `${tenths.format(Math.floor(seconds * 10) / 10)} s`;
  if (seconds < 3_600) return inUnits(seconds, 60, "min", 1, "s");
  if (seconds < 86_400) return inUnits(seconds, 3_600, "h", 60, "min");
  return inUnits(seconds, 86_400, "d", 3_600, "h");
}

function inUnits(
  seconds: number,
  large: number,
  largeName: string,
  small: number,
  smallName: string,
): string {
  const rest = Math.floor((seconds % large) / small);
  return `${Math.floor(seconds / large)} ${largeName}${rest === 0 ? "" : ` ${rest} ${smallName}`}`;
}

const exact = new Intl.DateTimeFormat(locales, { dateStyle: "full", timeStyle: "long" });
const clock = new Intl.DateTimeFormat(locales, { timeStyle: "medium" });
const day = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
const dayAndTime = new Intl.DateTimeFormat(locales, day);
const yearToo = new Intl.DateTimeFormat(locales, { ...day, year: "numeric" });

/** A time in the reader's zone, to the second, with the zone's name and the stored form. */
export const exactTime = (time: string) => `${exact.format(new Date(time))} (${time})`;

/** `16:37:13` for today, `21 Nov, 16:37` for this year, `21 Nov 2025, 16:37` for earlier ones. */
export function timeText(time: string, now = new Date()): string {
  const date = new Date(time);
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return date.getFullYear() === now.getFullYear() ? dayAndTime.format(date) : yearToo.format(date);
}

const shortClock = new Intl.DateTimeFormat(locales, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locales, { weekday: "short" });
const weekdayAndTime = new Intl.DateTimeFormat(locales, { ...day, weekday: "short" });

/** `14:00` */
export const clockText = (time: Date) => shortClock.format(time);

/** `Sat` */
export const weekdayText = (time: Date) => weekday.format(time);

/** The hour that begins at a time: `Sat 28 Nov, 14:00–15:00`. */
export const hourText = (begin: Date) =>
  weekdayAndTime.formatRange(begin, new Date(begin.getTime() + 3_600_000));

const units = ["KiB", "MiB", "GiB"] as const;

/** `812 bytes`, `1.4 KiB`, `60 MiB`, `1 GiB` */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${numberText(bytes)} bytes`;
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${tenths.format(bytes / 1024 ** power)} ${units[power - 1]}`;
}

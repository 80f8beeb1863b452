import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { clockText, countOf, hourText, numberText, weekdayText } from "../../ui/format.ts";
import { HeadRow } from "../../ui/table/plain-table.tsx";
import type { ActivityHour } from "./activity-query.ts";
import styles from "./overview.module.css";

/**
 * The operations of each hour as bars above a line, and the failures as bars below it, each by its own scale. An hour
 * without any has its mark on the line. The figures are said for the hour under the pointer, or chosen by the arrow
 * keys, and are in a table for screen readers.
 */
export function HourChart({ title, hours }: { title: string; hours: readonly ActivityHour[] }) {
  const id = useId();
  const { chosen, ...handlers } = useChosenHour(hours.length);
  const hour = chosen === undefined ? undefined : hours[chosen];
  const most = (part: "operations" | "failed") => numberText(Math.max(...hours.map((each) => each[part])));
  const sum = (part: "operations" | "failed") => hours.reduce((total, each) => total + each[part], 0);
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className={styles.readout}>
        {hour === undefined
          ? figures({ operations: sum("operations"), failed: sum("failed") })
          : `${hourText(new Date(hour.hour))}: ${figures(hour)}`}
      </p>
      <div
        className={styles.chart}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, by hour`}
        aria-valuemin={0}
        aria-valuemax={hours.length - 1}
        aria-valuenow={chosen ?? hours.length - 1}
        aria-valuetext={textOf(hour ?? hours.at(-1))}
        {...handlers}
      >
        <Bars hours={hours} chosen={chosen} />
        <Ticks hours={hours} />
      </div>
      <p className={styles.legend}>
        Operations above the line (max. {most("operations")} per hour), failures below (max. {most("failed")})
      </p>
      <Figures title={title} hours={hours} />
    </section>
  );
}

const figures = ({ operations, failed }: Omit<ActivityHour, "hour">) =>
  `${countOf(operations, "operation")}, ${numberText(failed)} failed`;

const textOf = (hour: ActivityHour | undefined) =>
  hour === undefined ? undefined : `${hourText(new Date(hour.hour))}: ${figures(hour)}`;

/** The hour under the pointer or chosen by a key, while the chart has either. */
function useChosenHour(count: number) {
  const [chosen, setChosen] = useState<number>();
  const choose = (index: number) => setChosen(Math.min(Math.max(index, 0), count - 1));
  return {
    chosen,
    onPointerMove({ clientX, currentTarget }: PointerEvent) {
      const { left, width } = currentTarget.getBoundingClientRect();
      choose(Math.floor(((clientX - left) / width) * count));
    },
    onPointerLeave: () => setChosen(undefined),
    onFocus: () => choose(chosen ?? count - 1),
    onBlur: () => setChosen(undefined),
    onKeyDown(event: KeyboardEvent) {
      const target = nextHour(event.key, chosen ?? count - 1, count);
      if (target === undefined) return;
      event.preventDefault();
      choose(target);
    },
  };
}

function nextHour(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowLeft" || key === "ArrowDown") return index - 1;
  if (key === "ArrowRight" || key === "ArrowUp") return index + 1;
  if (key === "PageUp") return index + 24;
  if (key === "PageDown") return index - 24;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

/** Where the line between operations and failures is, of 100. */
const line = 72;

/** An hour's width in the drawing, which is stretched to that of its place. */
const step = 10;

function Bars({ hours, chosen }: { hours: readonly ActivityHour[]; chosen: number | undefined }) {
  const most = (part: "operations" | "failed") => Math.max(1, ...hours.map((hour) => hour[part]));
  const [mostOperations, mostFailed] = [most("operations"), most("failed")];
  // The least bar can still be seen.
  const height = (count: number, of: number, room: number) =>
    count === 0 ? 0 : Math.max(2, (count / of) * room);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${hours.length * step} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {chosen !== undefined && (
        <rect className={styles.chosen} x={chosen * step} y={0} width={step} height={100} />
      )}
      {hours.map(({ hour, operations, failed }, index) => {
        const up = height(operations, mostOperations, line - 2);
        const down = height(failed, mostFailed, 98 - line - 2);
        const place = { x: index * step + 1, width: step - 2 };
        return (
          <g key={hour}>
            <rect className={styles.operations} {...place} y={line - up} height={up} />
            <rect className={styles.mark} {...place} y={line} height={1.5} />
            <rect className={styles.failures} {...place} y={line + 3} height={down} />
          </g>
        );
      })}
    </svg>
  );
}

/** Hours of the day below a day's bars, days below those of more. */
function Ticks({ hours }: { hours: readonly ActivityHour[] }) {
  const isDay = hours.length <= 24;
  return (
    <div className={styles.ticks} aria-hidden="true">
      {hours.map(({ hour }, index) => {
        const date = new Date(hour);
        const isTick = date.getHours() % (isDay ? 6 : 24) === 0;
        if (!isTick) return null;
        return (
          <span key={hour} style={{ left: `${(index / hours.length) * 100}%` }}>
            {isDay ? clockText(date) : weekdayText(date)}
          </span>
        );
      })}
    </div>
  );
}

const Figures = ({ title, hours }: { title: string; hours: readonly ActivityHour[] }) => (
  <div className="visually-hidden">
    <table>
      <caption>{title}, by hour</caption>
      <HeadRow names={["Hour", "Operations", "Failed"]} />
      <tbody>
        {hours.map(({ hour, operations, failed }) => (
          <tr key={hour}>
            <th scope="row">{hourText(new Date(hour))}</th>
            <td>{numberText(operations)}</td>
            <td>{numberText(failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

import { rateText } from "../format.ts";
import styles from "./rate-line.module.css";

export interface RateSample {
  at: number;
  rate: number;
}

/** A line chart of rates over time, as wide as its container; nothing for fewer than two. */
export function RateLine({ samples, label }: { samples: readonly RateSample[]; label: string }) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const most = Math.max(...samples.map(({ rate }) => rate), 1);
  const x = ({ at }: RateSample) => (((at - first.at) / (last.at - first.at)) * 600).toFixed(1);
  const y = ({ rate }: RateSample) => (55 - (rate / most) * 52).toFixed(1);
  const line = samples.map((sample) => `${x(sample)} ${y(sample)}`).join("L");
  return (
    <figure>
      <svg className={styles.line} viewBox="0 0 600 56" preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.area} d={`M0 56L${line}L600 56Z`} />
        <path d={`M${line}`} />
      </svg>
      <figcaption className={styles.caption}>
        {label}: now {rateText(last.rate)}, max {rateText(most)}
      </figcaption>
    </figure>
  );
}

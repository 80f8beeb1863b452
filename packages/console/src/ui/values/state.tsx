import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./state.module.css";

type Tone = "good" | "bad" | "warn" | "active" | "quiet";

/** Each state has its own shape, colour and word: colour alone distinguishes none. */
const shapes = {
  waiting: ["quiet", <circle key="" cx="6" cy="6" r="4.2" />],
  queued: ["quiet", <circle key="" cx="6" cy="6" r="4.2" strokeDasharray="2.2 2.2" />],
  running: ["active", <path key="" d="M3.5 2 10 6l-6.5 4z" fill="currentColor" stroke="none" />],
  held: ["warn", <path key="" d="M4 2v8M8 2v8" strokeWidth="2.4" />],
  done: ["good", <path key="" d="m2 6.5 2.8 2.8L10 3.2" strokeWidth="2" />],
  partial: ["warn", <path key="" d="M6 1.5 10.5 6 6 10.5 1.5 6zM6 1.5v9" />],
  failed: ["bad", <path key="" d="m2.5 2.5 7 7m0-7-7 7" strokeWidth="2" />],
  stopped: ["bad", <rect key="" x="2.5" y="2.5" width="7" height="7" fill="currentColor" stroke="none" />],
  warning: ["warn", <path key="" d="M6 1.5 11 10.5H1zM6 5v2.6M6 8.6v.9" />],
  unchanged: ["quiet", <path key="" d="M2 4.2h8M2 7.8h8" />],
  created: ["good", <path key="" d="M6 2v8M2 6h8" strokeWidth="1.8" />],
  updated: ["active", <path key="" d="M2 7.2c1.3-2.6 2.7-2.6 4-1.2s2.7 1.4 4-1.2" strokeWidth="1.8" />],
  deleted: ["bad", <path key="" d="M2 6h8" strokeWidth="2" />],
} satisfies Record<string, [Tone, ReactNode]>;

/** The shapes of states, named by `State` and its callers. */
export type StateShape = keyof typeof shapes;

export function State({ shape, children }: { shape: StateShape; children: ReactNode }) {
  const [tone, drawing] = shapes[shape];
  return (
    <span className={classNames(styles.state, styles[tone])}>
      <svg viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
        {drawing}
      </svg>
      {children}
    </span>
  );
}

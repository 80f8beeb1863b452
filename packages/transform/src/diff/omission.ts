/** A thing that a dump leaves out, as its report has it. */
export interface Omission {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** The shape of the items of which it is. */
  readonly shape?: string;
  /** The component of the shape. */
  readonly component?: string;
  /** The aliases of which it is, the first thousands. */
  readonly aliases?: unknown;
}

/** Says in which component of which shape something is that was left out. */
export const omissionLocation = ({ shape, component }: Omission): string =>
  (component === undefined ? "" : `, in the component ${component}`) +
  (shape === undefined ? "" : ` of the shape ${shape}`);

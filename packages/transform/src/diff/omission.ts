/** Something that a dump omits, from its report. */
export interface Omission {
  readonly what: string;
  readonly count: number;
  readonly examples: readonly string[];
  /** The shape of the items concerned. */
  readonly shape?: string;
  /** The component of that shape. */
  readonly component?: string;
  /** The aliases concerned, up to a limit. */
  readonly aliases?: unknown;
}

/** Names the component and the shape of an omission. */
export const omissionLocation = ({ shape, component }: Omission): string =>
  (component === undefined ? "" : `, in the component ${component}`) +
  (shape === undefined ? "" : ` of the shape ${shape}`);

/** Joins the class names that are given: `classNames(styles.row, isActive && styles.active)`. */
export const classNames = (...names: (string | false | null | undefined)[]) =>
  names.filter(Boolean).join(" ");

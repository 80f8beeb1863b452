/** Joins the given class names: `classNames(styles.row, isActive && styles.active)`. */
export const classNames = (...names: (string | false | null | undefined)[]) =>
  names.filter(Boolean).join(" ");

import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./page.module.css";

interface PageProps extends ComponentProps<"div"> {
  /** True for parts that follow each other without gaps, below a line: a table, panes. */
  isFlush?: boolean;
}

/** A page as high as the window: its head, and its parts below. */
export const Page = ({ isFlush = false, className, ...rest }: PageProps) => (
  <div {...rest} className={classNames(styles.page, isFlush && styles.flush, className)} />
);

interface PageHeadProps extends Omit<ComponentProps<"header">, "title"> {
  /** Links to the pages above this one, outermost first. */
  crumbs?: ReactNode;
  title: ReactNode;
  /** Next to the title: an id, a state. */
  facts?: ReactNode;
  /** Filters and actions, at the end of the line. */
  children?: ReactNode;
}

export const PageHead = ({ crumbs, title, facts, children, ...rest }: PageHeadProps) => (
  <header {...rest} className={classNames(styles.head, rest.className)}>
    <div className={styles.title}>
      {crumbs && (
        <nav className={styles.crumbs} aria-label="Breadcrumb">
          {crumbs}
        </nav>
      )}
      <h1>{title}</h1>
      {facts}
    </div>
    {children}
  </header>
);

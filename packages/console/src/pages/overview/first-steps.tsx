import { Link } from "@tanstack/react-router";
import { useTenant } from "../../api/session.ts";
import { buttonClass } from "../../ui/input/button.tsx";
import { Page, PageHead } from "../../ui/page/page.tsx";
import { Command } from "../../ui/values/id.tsx";
import styles from "./overview.module.css";

/** First steps in a tenant that has run nothing yet. */
export function FirstSteps() {
  const tenant = useTenant();
  return (
    <Page>
      <PageHead title="Overview" />
      <div className={styles.first}>
        <h2>Nothing has run here yet</h2>
        <p>
          A mass operation file says what should be in the shop: products, prices, customers, orders. Each run
          of a file is a task, and this page shows what tasks do.
        </p>
        <ol>
          <li>
            <Link
              className={buttonClass("primary")}
              to="/@{$tenant}/run"
              params={{ tenant }}
              search={{ example: true }}
            >
              Open the example
            </Link>{" "}
            Plan or run a small pottery shop. One of its operations fails, so you can see how failures are
            shown.
          </li>
          <li>
            <Link className={buttonClass()} to="/@{$tenant}/run" params={{ tenant }}>
              Run a file
            </Link>{" "}
            Drop, choose or write one of your own.
          </li>
          <li>
            Or run one from the command line:{" "}
            <Command text={`lading mass-operation run ${tenant} operations.json`} />
          </li>
        </ol>
      </div>
    </Page>
  );
}

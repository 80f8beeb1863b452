import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import styles from "./input.module.css";

export interface Tab<Name extends string> {
  name: Name;
  label: ReactNode;
  panel: ReactNode;
}

/** Tabs, one of which is shown; the arrow keys switch between them. The URL names the current one. */
export const Tabs = <Name extends string>({
  tabs,
  value,
  onChange,
}: {
  tabs: readonly Tab<Name>[];
  value: Name;
  onChange: (name: Name) => void;
}) => (
  <BaseTabs.Root value={value} onValueChange={onChange} className={styles.tabsRoot}>
    <BaseTabs.List className={styles.tabs} activateOnFocus>
      {tabs.map(({ name, label }) => (
        <BaseTabs.Tab key={name} value={name} className={styles.tab}>
          {label}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.List>
    {tabs.map(({ name, panel }) => (
      <BaseTabs.Panel key={name} value={name} tabIndex={-1} className={styles.tabPanel}>
        {panel}
      </BaseTabs.Panel>
    ))}
  </BaseTabs.Root>
);

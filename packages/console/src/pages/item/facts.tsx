import type { ReactNode } from "react";
import { Time } from "../../ui/values/time.tsx";
import type { ShownItem } from "./documents.ts";
import styles from "./item.module.css";

/** An item's type, location, identifiers, topics and times. */
export function ItemFacts({ item, language }: { item: ShownItem; language: string }) {
  const topics = item.topics.map(({ id, name, path }) => name ?? path ?? id);
  return (
    <dl className={styles.facts}>
      <Fact name="Type">{item.type}</Fact>
      <Fact name="Shape">
        <code>{item.shapeIdentifier ?? "–"}</code>
      </Fact>
      <Fact name={`Path (${language})`}>
        <code>{item.tree?.path ?? "–"}</code>
      </Fact>
      <Fact name="Resource identifier">
        <code>{item.resourceIdentifier ?? "–"}</code>
      </Fact>
      <Fact name="External reference">
        <code>{item.externalReference ?? "–"}</code>
      </Fact>
      <Fact name="Topics">{topics.length === 0 ? "–" : topics.join(", ")}</Fact>
      <Fact name="Created">
        <Time at={item.createdAt} />
      </Fact>
      <Fact name="Changed">
        <Time at={item.updatedAt} />
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import styles from "../browse-model/browse-model.module.css";
import { Fact, Facts } from "../browse-model/facts.tsx";
import { LastChange } from "../browse-model/last-change.tsx";
import { TopicLink } from "../browse-model/links.tsx";
import type { ShownItem } from "./documents.ts";

export const ItemFacts = ({
  item,
  language,
  version,
}: {
  item: ShownItem;
  language: string;
  version: "draft" | "published";
}) => (
  <Facts>
    <Fact name="Type">{item.type}</Fact>
    <Fact name="Shape">{item.shapeIdentifier}</Fact>
    <Fact name={`Path (${language})`}>{item.tree?.path ?? "–"}</Fact>
    <Fact name="Resource identifier">{item.resourceIdentifier}</Fact>
    <Fact name="External reference">{item.externalReference}</Fact>
    {item.topics.length > 0 && (
      <Fact name="Topics">
        <span className={styles.list}>
          {item.topics.map((topic) => (
            <TopicLink key={topic.id} id={topic.id} name={topic.displayName} language={language} />
          ))}
        </span>
      </Fact>
    )}
    <Fact name="Created">
      <Time at={item.createdAt} />
    </Fact>
    <Fact name="Changed">
      <LastChange entity={{ kind: "item", id: item.id, language, version }} at={item.updatedAt} />
    </Fact>
    <Fact name="Id">
      <Id id={item.id} />
    </Fact>
  </Facts>
);

import type { ResultOf } from "../../api/graphql.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import styles from "../browse-model/browse-model.module.css";
import { Fact, Facts, KeyValues } from "../browse-model/facts.tsx";
import { TopicLink } from "../browse-model/links.tsx";
import type { topicDocument } from "./content-documents.ts";

type Topic = Extract<NonNullable<ResultOf<typeof topicDocument>["topic"]>, { id: string }>;

/** A topic's place among the others. */
export const TopicParts = ({ topic, language }: { topic: Topic; language: string }) => (
  <>
    <Facts>
      <Fact name="Path">{topic.path}</Fact>
      {topic.parent && (
        <Fact name="Parent">
          <TopicLink id={topic.parent.id} name={topic.parent.displayName} language={language} />
        </Fact>
      )}
      <Fact name="Resource identifier">{topic.resourceIdentifier}</Fact>
      <Fact name="Colour">{topic.displayColor}</Fact>
      <Fact name="Changed">
        <Time at={topic.updatedAt} />
      </Fact>
      <Fact name="Id">
        <Id id={topic.id} />
      </Fact>
      {topic.children.length > 0 && (
        <Fact name="Subtopics">
          <span className={styles.list}>
            {topic.children.map((child) => (
              <TopicLink key={child.id} id={child.id} name={child.displayName} language={language} />
            ))}
          </span>
        </Fact>
      )}
    </Facts>
    <KeyValues title="Meta" pairs={topic.meta} />
  </>
);

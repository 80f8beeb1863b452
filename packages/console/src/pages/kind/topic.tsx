import { Link } from "@tanstack/react-router";
import type { ResultOf } from "../../api/graphql.ts";
import { useTenant } from "../../api/session.ts";
import { Id } from "../../ui/values/id.tsx";
import { Time } from "../../ui/values/time.tsx";
import styles from "../browse-model/browse-model.module.css";
import { Fact, Facts, KeyValues } from "../browse-model/facts.tsx";
import { type DisplayName, Name } from "../browse-model/stored.tsx";
import type { topicDocument } from "./content-documents.ts";

type Topic = Extract<NonNullable<ResultOf<typeof topicDocument>["topic"]>, { id: string }>;

/** A topic's place among the others. */
export const TopicParts = ({ topic, language }: { topic: Topic; language: string }) => (
  <>
    <Facts>
      <Fact name="Path">{topic.path}</Fact>
      {topic.parent && (
        <Fact name="Below">
          <TopicLink {...topic.parent} language={language} />
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
        <Fact name="Topics below">
          <span className={styles.list}>
            {topic.children.map((child) => (
              <TopicLink key={child.id} {...child} language={language} />
            ))}
          </span>
        </Fact>
      )}
    </Facts>
    <KeyValues title="Meta" pairs={topic.meta} />
  </>
);

interface TopicLinkProps {
  id: string;
  displayName: DisplayName | null;
  language: string;
}

/** A link to a topic in the list of topics. */
export const TopicLink = ({ id, displayName, language }: TopicLinkProps) => (
  <Link
    to="/@{$tenant}/browse/$kind"
    params={{ tenant: useTenant(), kind: "topics" }}
    search={{ key: id, language }}
  >
    <Name name={displayName} language={language} id={id} />
  </Link>
);

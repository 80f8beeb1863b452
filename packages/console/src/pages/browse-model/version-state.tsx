import { State } from "../../ui/values/state.tsx";

interface Version {
  label: "draft" | "published";
  createdAt: string;
}

/** An item in a language: published, with a newer draft, a draft only, or not there. */
export function VersionState({ versions }: { versions: readonly Version[] }) {
  const timeOf = (label: Version["label"]) => versions.find((version) => version.label === label)?.createdAt;
  const [draft, published] = [timeOf("draft"), timeOf("published")];
  if (draft === undefined && published === undefined) return <State shape="waiting">none</State>;
  if (published === undefined) return <State shape="queued">draft</State>;
  if (draft !== undefined && Date.parse(draft) > Date.parse(published))
    return <State shape="partial">newer draft</State>;
  return <State shape="done">published</State>;
}

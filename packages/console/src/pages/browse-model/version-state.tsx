import { State } from "../../ui/values/state.tsx";

interface Version {
  /** Publishing gives the published version the id of the draft, until either is changed. */
  id: string;
  label: "draft" | "published";
}

interface VersionStateProps {
  versions: readonly Version[];
  /** True where it is known that the draft differs, such as in its variants. */
  isChanged?: boolean;
}

/** An item in a language: published, with a draft that was changed since, a draft only, or not there. */
export function VersionState({ versions, isChanged = false }: VersionStateProps) {
  const idOf = (label: Version["label"]) => versions.find((version) => version.label === label)?.id;
  const [draft, published] = [idOf("draft"), idOf("published")];
  if (draft === undefined && published === undefined) return <State shape="waiting">none</State>;
  if (published === undefined) return <State shape="queued">draft</State>;
  if (draft !== undefined && (isChanged || draft !== published))
    return <State shape="partial">draft changed</State>;
  return <State shape="done">published</State>;
}

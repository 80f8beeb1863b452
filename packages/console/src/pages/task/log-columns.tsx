import { durationText, numberText } from "../../ui/format.ts";
import type { Column } from "../../ui/table/table.tsx";
import { shortId } from "../../ui/values/id.tsx";
import { plannedMessage } from "../task-model/outcome.ts";
import { LogState } from "../task-model/states.tsx";
import type { LogRow } from "../task-model/task.ts";
import { OperationLink } from "../task-model/task-link.tsx";
import type { TaskDetails } from "./documents.ts";

export const columnsOf = ({ id, kind, retries, progress }: TaskDetails): Column<LogRow>[] => [
  {
    header: "#",
    width: 1 + 0.66 * numberText(progress.processed).length,
    isFigure: true,
    cell: ({ index }) => (
      <OperationLink task={id} index={index} tabIndex={-1}>
        {numberText(index)}
      </OperationLink>
    ),
  },
  {
    header: "State",
    card: "state",
    width: kind === "plan" ? 10.5 : 7.6,
    cell: (entry) => <LogState entry={entry} isPlan={kind === "plan"} />,
  },
  {
    header: "Intent",
    width: 11,
    grow: 0.4,
    cell: ({ intent }) => <code title={intent}>{intent}</code>,
  },
  {
    header: "Ref",
    card: "hidden",
    width: 4,
    isExtra: true,
    cell: ({ ref }) => <code title={ref ?? undefined}>{ref}</code>,
  },
  {
    header: kind === "plan" ? "Planned action or error" : "Action or error",
    card: "title",
    width: 14,
    grow: 1,
    cell: ({ message }) => <Message text={kind === "plan" ? plannedMessage(message) : message} />,
  },
  ...(retries.length === 0
    ? []
    : [
        {
          header: "Repaired by",
          width: 8,
          cell: ({ index, repairedBy }: LogRow) =>
            repairedBy !== null && (
              <OperationLink task={repairedBy} index={index} tabIndex={-1}>
                <code>{shortId(repairedBy)}</code>
              </OperationLink>
            ),
        },
      ]),
  {
    header: "Duration",
    card: "hidden",
    width: 4.5,
    isFigure: true,
    isExtra: true,
    cell: ({ durationMs }) => durationText(durationMs),
  },
];

const Message = ({ text }: { text: string | null }) => (
  <span dir="auto" title={text ?? undefined}>
    {text}
  </span>
);

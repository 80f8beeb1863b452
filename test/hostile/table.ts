import type { Figures } from "./siege.ts";

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;
const verdict = ({ beyond, wrong }: Figures) => [...beyond, ...wrong].join("; ") || "within";

export function line(figures: Figures): string {
  const {
    attack,
    engine,
    slowestQuery,
    queries,
    slowestTask,
    tasks,
    stall,
    peak,
    seconds: lasted,
    outcome,
  } = figures;
  return [
    `${engine} ${attack}: ${verdict(figures)}`,
    `  slowest query ${seconds(slowestQuery)} of ${queries}, task ${seconds(slowestTask)} of ${tasks},`,
    `  stall ${seconds(stall)}, peak ${mebibytes(peak)}, ${lasted.toFixed(0)} s; ${outcome}`,
  ].join("\n");
}

export function table(all: readonly Figures[]): string {
  const rows = all.map((figures) => [
    ...[figures.attack, figures.engine === "pglite" ? "PGlite" : "PostgreSQL"],
    ...[seconds(figures.slowestQuery), seconds(figures.slowestTask), seconds(figures.stall)],
    ...[mebibytes(figures.peak), verdict(figures), figures.outcome],
  ]);
  const head = [
    "Attack",
    "Database",
    "Slowest query",
    "Slowest task",
    "Longest stall",
    "Memory",
    "Limits",
    "Answered",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

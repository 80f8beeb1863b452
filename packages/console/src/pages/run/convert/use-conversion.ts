import { type DelimiterName, type Encoding, formatOf } from "@lading/transform/internal/choices";
import { useEffect, useMemo, useState } from "react";
import { success } from "../../../api/errors.ts";
import { request } from "../../../api/request.ts";
import { useTenant } from "../../../api/session.ts";
import { limitDocument } from "../documents.ts";
import { inOwnWorker } from "../worker/client.ts";
import type { ConversionReport, TableFile } from "../worker/jobs.ts";

/** The choices that a conversion takes. */
export interface Chosen {
  table?: File;
  encoding?: Encoding | undefined;
  delimiter?: DelimiterName | undefined;
  /** The sheet of a workbook, and all sheets of one that has several. */
  sheet?: string | undefined;
  sheets?: readonly string[] | undefined;
  /** The name of its file, or of its preset. */
  map?: { name: string; text: string } | undefined;
  /** True if every filled cell of an exported table counts as edited. */
  allCells?: boolean;
  /** Further tables that the map looks up cells in, by name. */
  lookups: Readonly<Record<string, File>>;
}

export interface Conversion {
  /** The previous report while another choice is read; undefined until there is one. */
  report?: ConversionReport;
  /** The part of the table that was read so far, while it is read. */
  read?: number;
  error?: unknown;
}

/** Converts what is chosen, as far as it is. Another choice aborts that. */
export function useConversion(chosen: Chosen): Conversion & { retry: () => void } {
  const tenant = useTenant();
  const [tries, setTries] = useState(0);
  const job = useMemo(() => ({ chosen, tries }), [chosen, tries]);
  const [{ of, ...latest }, setLatest] = useState<Conversion & { of?: typeof job }>({});
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const { table, map, allCells = false, lookups, encoding, delimiter, sheet } = job.chosen;
    const change = (next: Conversion) => {
      if (!signal.aborted) setLatest(({ report }) => ({ of: job, ...(report && { report }), ...next }));
    };
    const fileOf = (file: File): TableFile => ({ file, format: formatOf(file.name), encoding });
    const convert = async () => {
      const limits = success((await request(tenant, limitDocument, {}, signal)).tenant);
      const input = {
        table: table && { ...fileOf(table), sheet, ...(delimiter !== undefined && { delimiter }) },
        map: map?.text,
        allCells,
        lookups: Object.fromEntries(Object.entries(lookups).map(([name, file]) => [name, fileOf(file)])),
        maxBytes: limits.uploadMaxBytes,
      };
      const onBytes = (bytes: number) => change({ read: bytes / Math.max(1, table?.size ?? 0) });
      return inOwnWorker("convert", input, { signal, onBytes });
    };
    convert().then(
      (report) => change({ report }),
      (error: unknown) => change({ error }),
    );
    return () => controller.abort();
  }, [job, tenant]);
  const retry = () => setTries((now) => now + 1);
  return of === job
    ? { ...latest, retry }
    : { ...(latest.report && { report: latest.report }), read: 0, retry };
}

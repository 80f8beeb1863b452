import type { Database, Parameter, Queries } from "../../packages/service/src/storage/database.ts";
import {
  type SentParameter,
  sentParameters,
} from "../../packages/service/src/storage/engines/column-values.ts";
import { blockInsert } from "../support/logs/operation-log.ts";

export interface Asked {
  batches: number;
  statements: number;
  sentBytes: number;
}

/** A database that adds up what the transactions ask of it that write log entries: these are the batches. */
export function watchBatches(database: Database): { database: Database; asked: Asked } {
  const asked: Asked = { batches: 0, statements: 0, sentBytes: 0 };
  const transaction: Database["transaction"] = (work, turn) =>
    database.transaction(async (inner) => {
      let [isBatch, statements, sentBytes] = [false, 0, 0];
      const note = (sql: string, parameters?: readonly Parameter[]) => {
        isBatch ||= blockInsert.test(sql);
        statements++;
        sentBytes +=
          Buffer.byteLength(sql) +
          sentParameters(parameters).reduce<number>((sum, each) => sum + bytesOf(each), 0);
      };
      const counting: Queries = {
        ...inner,
        query: (sql, parameters) => {
          note(sql, parameters);
          return inner.query(sql, parameters);
        },
        execute: (sql, parameters) => {
          note(sql, parameters);
          return inner.execute(sql, parameters);
        },
      };
      const result = await work(counting);
      if (isBatch) {
        asked.batches++;
        asked.statements += statements;
        asked.sentBytes += sentBytes;
      }
      return result;
    }, turn);
  return { database: { ...database, transaction }, asked };
}

function bytesOf(parameter: SentParameter): number {
  if (parameter instanceof Uint8Array) return parameter.length;
  return Array.isArray(parameter)
    ? parameter.reduce((sum, each) => sum + bytesOf(each), 0)
    : Buffer.byteLength(String(parameter));
}

import type { Source } from "./import-rules.ts";

const storage = "packages/service/src/storage/";

/** A string that begins as a statement does, or a condition in SQL that is passed to a unit of work. */
const sqlPatterns = [
  /["'`]\s*(?:WITH\s+(?:RECURSIVE\s+)?\w+\s+(?:\(|AS)|SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s)[^\n]{0,40}/,
  /["'`]\s*(?:SET\s+CONSTRAINTS|(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX)|TRUNCATE|LOCK\s+TABLE)\s[^\n]{0,40}/,
  /\bunit\s*\.\s*(?:ask|select)\s*[<(][^\n]{0,40}/,
];

/** Every file outside of storage that has SQL, as one line of text each. */
export function misplacedSql(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !path.startsWith(storage))
    .flatMap(({ path, text }) => {
      const match = sqlPatterns.map((pattern) => pattern.exec(text)).find((result) => result !== null);
      return match ? [`${path} has SQL: ${match[0].trim()} … Statements are in ${storage}`] : [];
    });
}

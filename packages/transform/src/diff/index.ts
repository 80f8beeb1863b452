export type { Changes, Count, Differences } from "./changes.ts";
export { compare } from "./compare.ts";
export type { IndexedDump } from "./indexed-dump.ts";
export { DumpReader, InvalidDump } from "./reading/dump-reader.ts";

export { checkConversionMap, conditionsOf } from "./check-map.ts";
export { type ColumnSettings, type Conditions, type ConversionMap, directives } from "./map-schema.ts";
export { type LocatedProblem, locateProblems, readJson } from "./read-json.ts";

export { didYouMean, oneOf, quoted, shortened } from "./names.ts";
export * from "./problems.ts";

export { didYouMean, oneOf, quoted } from "./names.ts";
export * from "./problems.ts";

export { didYouMean, oneOf, quoted, shortened } from "../problems/phrases.ts";
export * from "./problems.ts";

export * from "./problems.ts";

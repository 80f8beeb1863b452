export * from "../../settings.ts";

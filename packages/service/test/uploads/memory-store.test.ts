import { describe } from "vitest";
import { openMemoryStore } from "../../src/uploads/memory-store.ts";
import { testObjectStore } from "./support/object-store-suite.ts";

describe("a memory store as an object store:", () => {
  testObjectStore(async () => openMemoryStore());
});

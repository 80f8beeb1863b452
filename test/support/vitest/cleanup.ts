import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

// A worker keeps its document from file to file.
afterEach(cleanup);

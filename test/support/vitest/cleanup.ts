import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Longer than the default of a second, which a busy machine may need for one step.
configure({ asyncUtilTimeout: 5_000 });

// A worker keeps its document from file to file.
afterEach(cleanup);

import { describeRoundTrips } from "./round-trips.ts";

describeRoundTrips({ firstSeed: Number(process.env.DUMP_SEED ?? 1), tenants: 3, natural: 1, planned: 2 });

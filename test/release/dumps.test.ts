import { describeRoundTrips } from "../dump/round-trips.ts";

describeRoundTrips({
  firstSeed: Number(process.env.DUMP_SEED ?? 1_000),
  tenants: 10,
  natural: 10,
  planned: 10,
});

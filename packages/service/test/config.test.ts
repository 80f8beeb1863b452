import { describe, expect, test } from "vitest";
import { serviceOptions } from "../src/config.ts";

const s3 = { LADING_S3_BUCKET: "b" };

describe("options from the environment", () => {
  test.each([
    [{ LADING_PORT: "x" }, /LADING_PORT is "x"; a whole number/],
    [{ LADING_S3_ENDPOINT: "http://s3" }, /LADING_S3_BUCKET is missing/],
    [{ ...s3, LADING_S3_PATH_STYLE: "yes" }, /LADING_S3_PATH_STYLE is "yes"; true or false/],
    [{ ...s3, LADING_S3_ACCESS_KEY_ID: "id" }, /both LADING_S3_ACCESS_KEY_ID and LADING_S3_SECRET/],
  ])("refuses %j", (environment, message) => {
    expect(() => serviceOptions(environment)).toThrow(message);
  });

  test("has no store but the data folder unless a bucket is named", () => {
    expect(serviceOptions({ LADING_S3_BUCKET: "" }).s3).toBeUndefined();
    expect(serviceOptions(s3).s3).toEqual({ bucket: "b" });
    expect(
      serviceOptions({ ...s3, LADING_S3_PATH_STYLE: "false", LADING_S3_REGION: "eu-north-1" }).s3,
    ).toEqual({ bucket: "b", region: "eu-north-1", pathStyle: false });
  });
});

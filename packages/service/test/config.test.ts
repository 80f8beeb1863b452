import { describe, expect, test } from "vitest";
import { checkOptions, serviceOptions } from "../src/config.ts";

const s3 = { LADING_S3_BUCKET: "b" };

describe("options", () => {
  test.each([
    [{ imageFetches: 0 }, /imageFetches is 0; it must be 1 or more/],
    [
      { imageHosts: ["cdn.internal", "http://cdn.internal"] },
      /imageHosts has "http:\/\/cdn.internal"; name hosts/,
    ],
    [{ imageHosts: ["cdn.internal:8080"] }, /without protocol, port or path/],
    [{ imageHosts: [""] }, /imageHosts has ""/],
  ])("refuse %j", (options, message) => {
    expect(() => checkOptions(options)).toThrow(message);
  });

  test("take hosts by name and by address", () => {
    const environment = {
      LADING_IMAGE_HOSTS: "cdn.internal, 10.0.0.7,[::1],fd00::7",
      LADING_IMAGE_FETCHES: "3",
    };
    const options = serviceOptions(environment);
    expect(options.imageHosts).toEqual(["cdn.internal", "10.0.0.7", "[::1]", "fd00::7"]);
    expect(options.imageFetches).toBe(3);
    checkOptions(options);
  });
});

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

import { describe, expect, test } from "vitest";
import { openSealing } from "../../src/system/sealing.ts";

const [tenant, secret] = ["tenant-a", "whsec_abc"];

describe("the secret of a webhook", () => {
  test("a sealed secret does not open for another tenant, after a change, or under another key", () => {
    const sealing = openSealing("one", undefined);
    const { keyId, sealed } = sealing.seal(tenant, secret);
    expect(() => sealing.open("tenant-b", { keyId, sealed })).toThrow("cannot be decrypted");
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealing.open(tenant, { keyId, sealed: changed }), `byte ${at}`).toThrow(
        "cannot be decrypted",
      );
    }
    // A shorter tag would be easier to guess.
    expect(() => sealing.open(tenant, { keyId, sealed: sealed.subarray(0, 20) })).toThrow(
      "cannot be decrypted",
    );
    expect(() => openSealing("two", undefined).open(tenant, { keyId, sealed })).toThrow("does not have");
  });

  test("the same secret is encrypted differently each time, and the ciphertext reveals nothing of it", () => {
    const sealing = openSealing("one", undefined);
    const [one, two] = [sealing.seal(tenant, secret), sealing.seal(tenant, secret)];
    expect(Buffer.from(one.sealed).equals(Buffer.from(two.sealed))).toBe(false);
    expect(Buffer.from(one.sealed).includes("abc")).toBe(false);
  });

  test("the second signing key opens what the first of before has sealed, and seals nothing", () => {
    const before = openSealing("old", undefined).seal(tenant, secret);
    const sealing = openSealing("new", "old");
    expect(sealing.open(tenant, before)).toBe(secret);
    expect(sealing.seal(tenant, secret).keyId).toBe(openSealing("new", undefined).keyId);
    expect(sealing.keyIds).toContain(before.keyId);
  });
});

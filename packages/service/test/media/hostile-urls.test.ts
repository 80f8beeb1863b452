import { describe, expect, test } from "vitest";
import { imageTarget } from "../../src/media/fetch/fetch-file.ts";
import { isPublicAddress } from "../../src/system/outbound/public-address.ts";
import { allowedHosts } from "../../src/system/outbound/target.ts";

const allow = (...hosts: string[]) => allowedHosts(hosts, "LADING_IMAGE_HOSTS");

/** Each is refused before anything is sent. What a name resolves to is checked on resolution. */
const hostile: [what: string, url: string][] = [
  ["loopback", "http://127.0.0.1/a.png"],
  ["loopback, another address of it", "http://127.255.0.3/"],
  ["loopback, shortened", "http://127.1/"],
  ["loopback as one number", "http://2130706433/"],
  ["loopback in hexadecimal", "http://0x7f000001/"],
  ["loopback in octal", "http://0177.0.0.1/"],
  ["loopback in mixed notation", "http://0x7f.1/"],
  ["loopback in full-width digits", "http://１２７.０.０.１/"],
  ["loopback in circled digits", "http://①②⑦.⓪.⓪.①/"],
  ["loopback with encoded dots", "http://127%2e0%2e0%2e1/"],
  ["loopback with a dot at its end", "http://127.0.0.1./"],
  ["loopback with a port", "https://127.0.0.1:8443/"],
  ["loopback of IPv6", "http://[::1]/"],
  ["loopback of IPv6, written out", "http://[0:0:0:0:0:0:0:1]/"],
  ["the unspecified address", "http://0.0.0.0/"],
  ["the unspecified address, shortened", "http://0/"],
  ["the unspecified address of IPv6", "http://[::]/"],
  ["this network", "http://0.1.2.3/"],
  ["a private address, 10", "http://10.0.0.1/"],
  ["a private address, 172.16", "http://172.16.0.1/"],
  ["a private address, 172.31", "http://172.31.255.255/"],
  ["a private address, 192.168", "http://192.168.1.1/"],
  ["a private address of IPv6", "http://[fd12:3456::1]/"],
  ["a site-local address of IPv6", "http://[fec0::1]/"],
  ["behind a carrier's address translation", "http://100.64.0.1/"],
  ["link-local, the metadata of a cloud", "http://169.254.169.254/latest/meta-data/"],
  ["link-local, as one number", "http://2852039166/"],
  ["link-local of IPv6", "http://[fe80::1]/"],
  ["the metadata of a cloud, IPv6", "http://[fd00:ec2::254]/"],
  ["the wire server of a cloud", "http://168.63.129.16/machine"],
  ["the metadata of a cloud, behind address translation", "http://100.100.100.200/latest/meta-data/"],
  ["the private network of a cloud at public addresses", "http://161.26.0.7/"],
  ["the service endpoints of a cloud at public addresses", "http://166.9.1.1/"],
  ["the metadata of a cloud, local IPv6", "http://[fd20:ce::254]/"],
  ["multicast", "http://224.0.0.1/"],
  ["multicast of IPv6", "http://[ff02::1]/"],
  ["broadcast", "http://255.255.255.255/"],
  ["reserved", "http://240.0.0.1/"],
  ["benchmarks", "http://198.18.0.1/"],
  ["documentation", "http://192.0.2.1/"],
  ["documentation of IPv6", "http://[2001:db8::1]/"],
  ["protocol assignments", "http://192.0.0.192/"],
  ["IPv4 mapped into IPv6", "http://[::ffff:127.0.0.1]/"],
  ["IPv4 mapped into IPv6, in hexadecimal", "http://[::ffff:a9fe:a9fe]/"],
  ["a public IPv4 mapped into IPv6", "http://[::ffff:8.8.8.8]/"],
  ["IPv4 translated into IPv6", "http://[::ffff:0:7f00:1]/"],
  ["IPv4 within IPv6, as once", "http://[::127.0.0.1]/"],
  ["NAT64", "http://[64:ff9b::7f00:1]/"],
  ["NAT64 of a network of its own", "http://[64:ff9b:1::a00:1]/"],
  ["6to4", "http://[2002:7f00:1::]/"],
  ["6to4 of a private address", "http://[2002:c0a8:101::1]/"],
  ["Teredo", "http://[2001:0:7f00:1::]/"],
  ["an address that only discards", "http://[100::1]/"],
  ["another protocol: file", "file:///etc/passwd"],
  ["another protocol: ftp", "ftp://example.com/a.png"],
  ["another protocol: gopher", "gopher://example.com/_x"],
  ["another protocol: data", "data:image/png;base64,AAAA"],
  ["another protocol: javascript", "javascript:alert(1)"],
  ["another protocol: unix", "unix:/var/run/docker.sock"],
  ["a name and a password", "https://user:secret@example.com/a.png"],
  ["a name alone", "https://user@example.com/a.png"],
  ["a name that looks like the host", "https://example.com@127.0.0.1/"],
  ["no host", "http:///"],
  ["a path alone", "/etc/passwd"],
  ["an empty text", ""],
  ["a port beyond all", "http://example.com:99999/"],
  ["a port of mail", "http://example.com:25/a.png"],
  ["a port of a database", "https://example.com:5432/a.png"],
  ["a port of other services", "http://8.8.8.8:8080/a.png"],
  ["a zone", "http://[fe80::1%25eth0]/"],
];

describe("a hostile URL", () => {
  test.each(hostile)("a hostile URL is refused: %s", (_, url) => {
    expect(() => imageTarget(url, allow())).toThrow(/could not be fetched: /);
  });

  test("a hostile URL is refused as a redirect too", () => {
    const base = new URL("https://example.com/a/");
    for (const [what, url] of hostile.filter(([, url]) => /^[a-z]+:\/\/./.test(url)))
      expect(() => imageTarget(url, allow(), base), what).toThrow(/could not be fetched: /);
    expect(() => imageTarget("//127.0.0.1/x", allow(), base)).toThrow("does not lead to a public address");
    expect(imageTarget("../b.png", allow(), base).href).toBe("https://example.com/b.png");
  });

  test("an error about a hostile URL does not show its password", () => {
    expect(() => imageTarget("https://user:secret@example.com/", allow())).toThrow(/^(?!.*secret)/);
    expect(() => imageTarget("ftp://user:secret@example.com/", allow())).toThrow(/^(?!.*secret)/);
    expect(() => imageTarget("https://user:secret@example.com:99999/", allow())).toThrow(/^(?!.*secret)/);
  });
});

describe("an address", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
  ])("an address is public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(["", "example.com", "fe80::1%eth0", "2606:4700::1111%1", "::1", "127.0.0.1 ", "1.1.1", "[::1]"])(
    "an address is not public: %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  test("a public host has port 80, 443 or one that the setting names; an allowed host has any", () => {
    for (const url of ["http://example.com/a.png", "http://example.com:443/", "https://example.com:80/"])
      expect(imageTarget(url, allow()).href).toContain("//example.com");
    expect(() => imageTarget("https://example.com:8443/a.png", allow())).toThrow(
      "port 8443 is not among 80, 443, to which LADING_OUTBOUND_PORTS can add others",
    );
    const withPort = allowedHosts([], "LADING_IMAGE_HOSTS", [8443]);
    expect(imageTarget("https://example.com:8443/a.png", withPort).port).toBe("8443");
    expect(() => imageTarget("https://127.0.0.1:8443/a.png", withPort)).toThrow("public address");
    expect(imageTarget("http://cdn.internal:9000/a.png", allow("cdn.internal")).port).toBe("9000");
  });

  test("a private address is fetched from when its host is allowed", () => {
    expect(imageTarget("http://127.0.0.1:8080/a.png", allow("127.0.0.1")).port).toBe("8080");
    expect(imageTarget("http://[::1]/a.png", allow("[::1]")).hostname).toBe("[::1]");
    expect(() => imageTarget("http://127.0.0.2/a.png", allow("127.0.0.1"))).toThrow("LADING_IMAGE_HOSTS");
  });
});

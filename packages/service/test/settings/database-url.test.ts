import { describe, expect, test } from "vitest";
import { databaseAddress } from "../../src/settings/database-url.ts";

const names = (url: string) => databaseAddress(url).hosts.map(({ name }) => name);

describe("the URL of a database", () => {
  test.each([
    ["mysql://u:secret@h/db", "it does not begin with postgres://"],
    ["postgres://u:secret@h1,,h2/db", "host 2 has no name"],
    ["postgres://u:secret@,h2/db", "host 1 has no name"],
    ["postgres://u:secret@h1:5432,h2:port/db", "the port of host 2 is not a number from 1 to 65535"],
    ["postgres://u:secret@h1:0/db", "the port of host 1"],
    ["postgres://u:secret@h1:65536/db", "the port of host 1"],
    ["postgres://u:secret@h1,::1/db", "host 2 is not a name, an IPv4 address or an IPv6 address in brackets"],
    ["postgres://u:secret@h1,[::1/db", "host 2 is not a name"],
    ["postgres://u:secret@h1%2Fx/db", "host 1 is not a name"],
    ["postgres://u:secret@a,b,c,d,e,f/db", "it names 6 hosts; the limit is 5"],
    ["postgres://u:secret@/db?host=h1,h2&port=1,2,3", "it has 2 hosts and 3 ports"],
    [
      "postgres://u:secret@h/db?target_session_attrs=standby",
      "target_session_attrs is none of any, read-write",
    ],
    // The slash ends the host, and a part of the password is taken for a port.
    ["postgres://u:secret/more@h/db", "the port of host 1"],
    ["postgres://u:a secret@h/db", "or has a space"],
  ])("is refused without a word of it: %s", (url, problem) => {
    let message = "";
    try {
      databaseAddress(url);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(problem);
    expect(message).not.toContain("secret");
  });

  test("has several hosts, each with its own port or the default", () => {
    const address = databaseAddress("postgres://ann:p%40ss@h1:6000,h2,[::1]:7000/shop?sslmode=require");
    expect(address).toMatchObject({ user: "ann", database: "shop", target: "read-write" });
    expect(address.hosts).toEqual([
      { name: "h1:6000", url: "postgres://ann:p%40ss@localhost/shop?sslmode=require&host=h1&port=6000" },
      { name: "h2:5432", url: "postgres://ann:p%40ss@localhost/shop?sslmode=require&host=h2" },
      {
        name: "[::1]:7000",
        url: "postgres://ann:p%40ss@localhost/shop?sslmode=require&host=%3A%3A1&port=7000",
      },
    ]);
  });

  test("takes hosts and ports as parameters, one port for all or one each", () => {
    expect(names("postgres:///shop?host=h1,h2&port=6000,6001")).toEqual(["h1:6000", "h2:6001"]);
    expect(names("postgres:///shop?host=h1,h2&port=6000")).toEqual(["h1:6000", "h2:6000"]);
    expect(names("postgres:///shop?host=/run/postgresql")).toEqual(["/run/postgresql:5432"]);
    expect(names("postgres://h1/shop?port=6000")).toEqual(["h1:6000"]);
    expect(names("postgres:///shop")).toEqual(["the local socket:5432"]);
  });

  test("by default any single host will do, while of several one must accept writes", () => {
    expect(databaseAddress("postgres://h/db").target).toBe("any");
    expect(databaseAddress("postgres://h,i/db").target).toBe("read-write");
    expect(databaseAddress("postgres://h,i/db?target_session_attrs=primary").target).toBe("primary");
  });
});

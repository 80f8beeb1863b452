import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 networks that are not the public internet (IANA's registry of special-purpose addresses, and multicast). */
const specialIPv4: readonly string[] = [
  "0.0.0.0/8", // unspecified, this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // behind a carrier's address translation
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, among it the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/** The networks of public IPv6. What is elsewhere is refused: loopback, local, multicast, mapped, NAT64 … */
const globalIPv6: readonly string[] = ["2000::/3"];

/** Networks within it that are not public, or that carry an IPv4 address which could be anything. */
const specialIPv6: readonly string[] = [
  "2001::/23", // protocol assignments, among them Teredo
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
];

const refusedIPv4 = listOf(specialIPv4, "ipv4");
const allowedIPv6 = listOf(globalIPv6, "ipv6");
const refusedIPv6 = listOf(specialIPv6, "ipv6");

/** Whether an IP address is one of the public internet. What is no plain IP address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedIPv4.check(address, "ipv4");
  // With a zone it is local, whatever else it says.
  if (!isIPv6(address) || address.includes("%")) return false;
  return allowedIPv6.check(address, "ipv6") && !refusedIPv6.check(address, "ipv6");
}

function listOf(networks: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The networks of public IPv6; every other address is refused: local, multicast, mapped, NAT64 … */
const globalIPv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Public addresses at which clouds serve their own machines: Azure's and IBM Cloud's. */
const ofClouds = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((network) =>
  ipaddr.IPv4.parseCIDR(network),
);

/** True for an IP address of the public internet. Anything but a plain IP address is not one. */
export function isPublicAddress(address: string): boolean {
  // An address with a zone is local, whatever else it says. The library also reads shortened addresses, such as 127.1.
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  const isGlobal =
    parsed instanceof ipaddr.IPv4
      ? !ofClouds.some((network) => parsed.match(network))
      : parsed.match(globalIPv6);
  return isGlobal && parsed.range() === "unicast";
}

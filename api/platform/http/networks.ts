import { BlockList, isIP } from "node:net";
import type { Config } from "#api/platform/config.ts";
import { isAddressOrNetwork, splitNetworks } from "#schema/text.ts";

/** Lists that were read already, such as the one of the configuration, which every request of staff reads. */
const lists = new WeakMap<readonly string[], BlockList>();

/** Parses ADMIN_NETWORKS: addresses and networks in CIDR notation, separated by commas. Null if an entry is invalid or all are empty. */
export function parseAdminNetworks(text: string): readonly string[] | null {
  const networks = splitNetworks(text);
  // Without networks, admins may sign in from everywhere.
  if (networks.length === 0 && text !== "") return null;
  return networks.every(isAddressOrNetwork) ? networks : null;
}

/** Returns whether admins may sign in and use sessions and tokens from an address. Without ADMIN_NETWORKS, from everywhere. */
export function isAdminNetwork({ adminNetworks }: Pick<Config, "adminNetworks">, ip: string): boolean {
  return isInNetworks(adminNetworks, ip);
}

/** Returns whether an IP address is in one of the networks. Every address is in an empty list. */
export function isInNetworks(networks: readonly string[], ip: string): boolean {
  if (networks.length === 0) return true;
  const family = isIP(ip);
  return family !== 0 && getList(networks).check(ip, family === 4 ? "ipv4" : "ipv6");
}

function getList(networks: readonly string[]): BlockList {
  const known = lists.get(networks);
  if (known) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(networks, list);
  return list;
}

/**
 * Returns the network of an IPv6 address, such as `2001:db8:0:0::/64`, or the whole IPv4 address, also of `::ffff:203.0.113.7`.
 * @param bits length of the network's prefix: a multiple of 16
 */
export function toNetwork(ip: string, bits: number): string {
  const ipv4 = /^(?:::ffff:)?(\d+(?:\.\d+){3})$/i.exec(ip)?.[1];
  if (ipv4 || !ip.includes(":")) return ipv4 ?? ip;
  const [head = [], tail = []] = ip
    .toLowerCase()
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, bits / 16).join(":")}::/${bits}`;
}

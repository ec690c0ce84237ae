import { BlockList, isIP } from "node:net";
import type { Config } from "#api/platform/config.ts";
import { isAddressOrNetwork } from "./trusted-proxies.ts";

/** The list of each configuration, which every request of staff reads. */
const lists = new WeakMap<readonly string[], BlockList>();

/** Parses ADMIN_NETWORKS: addresses and networks in CIDR notation, separated by commas. Null if an entry is invalid. */
export function parseAdminNetworks(text: string): readonly string[] | null {
  const networks = text.split(/[\s,]+/).filter((one) => one !== "");
  return networks.every(isAddressOrNetwork) ? networks : null;
}

/** Returns whether admins may sign in and use sessions and tokens from an address. Without ADMIN_NETWORKS, from everywhere. */
export function isAdminNetwork({ adminNetworks }: Pick<Config, "adminNetworks">, ip: string): boolean {
  if (adminNetworks.length === 0) return true;
  const family = isIP(ip);
  return family !== 0 && getList(adminNetworks).check(ip, family === 4 ? "ipv4" : "ipv6");
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

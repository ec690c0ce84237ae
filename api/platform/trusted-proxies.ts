import { isIP } from "node:net";

const networks = ["loopback", "linklocal", "uniquelocal"];
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/**
 * Parses a comma-separated list for Fastify's `trustProxy`: addresses, networks in CIDR notation, and network names.
 * Returns null if an entry is invalid. `/0` is invalid, because any client could then set its own address.
 */
export function parseTrustedProxies(text: string): readonly string[] | null {
  const proxies = text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return proxies.every((one) => networks.includes(one) || isAddressOrNetwork(one)) ? proxies : null;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const most = BITS[isIP(address)];
  if (most === undefined || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

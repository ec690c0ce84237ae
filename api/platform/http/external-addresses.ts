import { BlockList, isIP } from "node:net";

const refused4 = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT, and a cloud's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // a cloud's wire server
  ["169.254.0.0", 16], // link-local, metadata of most clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments, a cloud's metadata
  ["192.0.2.0", 24], // documentation
  ["192.31.196.0", 24], // AS112
  ["192.52.193.0", 24], // multicast tunnels
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["192.175.48.0", 24], // AS112
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const)
  refused4.addSubnet(net, prefix);

/** Only global unicast is allowed, which excludes unique local, link-local, mapped, NAT64 and multicast addresses. */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

const refused6 = new BlockList();
for (const [net, prefix] of [
  ["2001::", 23], // protocol assignments, Teredo and ORCHID among them
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which can contain any IPv4 address
  ["2620:4f:8000::", 48], // AS112
  ["3fff::", 20], // documentation
] as const)
  refused6.addSubnet(net, prefix, "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);

/**
 * Returns whether an IP address is public: not private, loopback, link-local, multicast, carrier-grade NAT, an IPv4
 * address mapped to IPv6, reserved, or a cloud's metadata service.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused4.check(address);
  return family === 6 && global6.check(address, "ipv6") && !refused6.check(address, "ipv6");
}

/** Returns whether an IP address is a loopback address. IPv4-mapped IPv6 addresses don't count. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || (isIP(address) === 4 && loopback.check(address));
}

/** Returns whether a host, as in a URL, is this machine by its usual name or its address. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || isLoopbackAddress(name);
}

/** Returns the IP address in a URL; null if the host is a name. URLs normalise all notations of IPv4. */
export function getLiteralAddress({ hostname }: URL): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** Lowest allowed port other than 443. Lower ports belong to system services. */
const LOWEST_PORT = 1_024;

/**
 * Returns the reason why requests to a URL aren't allowed, as a message for its form field; null if they are allowed.
 * The addresses that its host name resolves to are checked at each request.
 * @param allowsLoopback whether to allow requests to this machine, including over http; never in production
 */
export function explainUrlRefusal(url: URL, allowsLoopback: boolean): string | null {
  const literal = getLiteralAddress(url);
  if (allowsLoopback && (isLocalName(url) || (literal !== null && isLoopbackAddress(literal)))) return null;
  if (url.protocol !== "https:") return "URL must start with https://.";
  if (isLocalName(url) || (literal !== null && !isPublicAddress(literal))) return "URL must lead to a public address.";
  const port = Number(url.port || 443);
  return port === 443 || port >= LOWEST_PORT ? null : `Port must be 443, or ${LOWEST_PORT} and above.`;
}

/** Returns whether the host is `localhost` or a subdomain of it. */
export function isLocalName({ hostname }: URL): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

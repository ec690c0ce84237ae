import type { FastifyInstance } from "fastify";
import { isAddressOrNetwork, splitNetworks } from "#schema/text.ts";
import { HOUR, readMachineClock } from "#api/platform/clock.ts";

const networks = ["loopback", "linklocal", "uniquelocal"];

/**
 * Parses a list for Fastify's `trustProxy`: addresses, networks in CIDR notation, and network names.
 * Returns null if an entry is invalid. `/0` is invalid, because any client could then set its own address.
 */
export function parseTrustedProxies(text: string): readonly string[] | null {
  const proxies = splitNetworks(text);
  return proxies.every((one) => networks.includes(one) || isAddressOrNetwork(one)) ? proxies : null;
}

/** Headers in which proxies report the client's address. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

/**
 * Removes ports from the addresses in `X-Forwarded-For`, which some proxies add, before Fastify reads them. If no proxy
 * is trusted, logs a warning at most once an hour when a proxy seems to be there, because all of its clients then share
 * one address and its rate limits.
 */
export function readForwardedAddresses(app: FastifyInstance, trustedProxies: readonly string[]): void {
  if (trustedProxies.length > 0)
    return void app.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
      const forwarded = headers["x-forwarded-for"];
      if (typeof forwarded === "string" && forwarded.includes(":"))
        headers["x-forwarded-for"] = forwarded.split(",").map(removePort).join(",");
      done();
    });

  let warnedAt = -HOUR;
  app.addHook("onRequest", ({ raw: { headers }, log }, _reply, done) => {
    const header = forwardingHeaders.find((name) => headers[name] !== undefined);
    if (header && readMachineClock() - warnedAt >= HOUR) {
      warnedAt = readMachineClock();
      log.warn(
        { header },
        "A proxy seems to forward requests, but TRUSTED_PROXIES is empty, so all clients behind the proxy share its rate limits. List the proxy in TRUSTED_PROXIES.",
      );
    }
    done();
  });
}

/** Returns an address without its port: `1.2.3.4:567` and `[::1]:80`, but not `::1`, have one. */
function removePort(text: string): string {
  const address = text.trim();
  return /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
}

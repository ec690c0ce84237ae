import { describe, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { createContext } from "#api/platform/context.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const behindProxy = await startTestApp({ rateLimits: true, trustedProxies: ["loopback", "10.0.0.0/8"] });
const open = await startTestApp({ rateLimits: true });

const body = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };

const sixTimes = (build: (n: number) => string) => Array.from({ length: 6 }, (_, n) => build(n));

test.each([
  ["the address that a trusted proxy reports", behindProxy, sixTimes(() => "203.0.113.1")],
  ["an IPv6 address that a trusted proxy reports", behindProxy, sixTimes(() => "2001:db8::1")],
  [
    "the address before several proxies, whatever the client added",
    behindProxy,
    sixTimes((n) => `198.51.100.${n}, 203.0.113.2, 10.1.2.3`),
  ],
  ["the connection's address without a trusted proxy", open, sixTimes((n) => `198.51.100.${n}`)],
  ["an address without its port", behindProxy, sixTimes((n) => `203.0.113.4:${4_000 + n}`)],
  ["an IPv6 address without its port", behindProxy, sixTimes((n) => `[2001:db8:4::1]:${4_000 + n}`)],
  [
    "the address before proxies with ports",
    behindProxy,
    sixTimes((n) => `198.51.100.${n}:80, 203.0.113.5:${n + 1}, 10.1.2.3:9000`),
  ],
])("rate limits use %s", async (_, app, forwardedFor) => {
  const statuses: number[] = [];
  for (const one of forwardedFor) {
    const headers = { "x-forwarded-for": one };
    statuses.push((await app.rest("POST", "/v1/contact-us/send", { body, headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test("an IPv4 address has one spelling on a socket for both families, too", () => {
  for (const [ip, plain] of [
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
  ] as const)
    expect(createContext(open.services, { origin: { ip } }).origin.ip).toBe(plain);
});

describe("the warning about a proxy that isn't trusted", () => {
  const forwarded = { "x-forwarded-for": "203.0.113.6" };
  const request = async (trustedProxies: string[], headers: Record<string, string>[]) => {
    const { log, lines } = recordLog("warn");
    const { services } = open;
    const server = await createApp({ ...services, log, config: { ...services.config, trustedProxies } });
    for (const one of headers) await server.inject({ url: "/health/live", headers: one });
    await server.close();
    return lines;
  };

  test("is logged once an hour, without the address", async () => {
    const lines = await request([], [forwarded, forwarded, { forwarded: "for=203.0.113.6" }]);
    expect(lines).toMatchObject([{ msg: expect.stringContaining("TRUSTED_PROXIES is empty") }]);
    expect(JSON.stringify(lines)).not.toContain("203.0.113.6");
  });

  test("isn't logged without such headers, or with a trusted proxy", async () => {
    expect([await request([], [{}]), await request(["loopback"], [forwarded])]).toEqual([[], []]);
  });
});

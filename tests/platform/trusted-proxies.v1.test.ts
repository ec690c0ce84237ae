import { describe, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { createContext } from "#api/platform/context.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startTestApp, type TestApp } from "#tests/support/test-app.ts";

const behindProxy = await startTestApp({ rateLimits: true, trustedProxies: ["loopback", "10.0.0.0/8"] });
const open = await startTestApp({ rateLimits: true });

const body = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };

/** Sends one message for each `X-Forwarded-For` over a loopback connection and returns the statuses. */
async function send(app: TestApp, forwardedFor: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const one of forwardedFor) {
    const headers = { "x-forwarded-for": one };
    statuses.push((await app.rest("POST", "/v1/contact-us/send", { body, headers })).status);
  }
  return statuses;
}

const allowed = Array.from({ length: 5 }, () => 200);
const times = (count: number, forwardedFor: string) => Array.from({ length: count }, () => forwardedFor);

describe("rate limits by client address", () => {
  test("use the address reported by a trusted proxy", async () => {
    expect(await send(behindProxy, times(6, "203.0.113.1"))).toEqual([...allowed, 429]);
    expect(await send(behindProxy, times(6, "2001:db8::1"))).toEqual([...allowed, 429]);
  });

  test("ignore addresses that the client added to the header, even with several proxies", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}, 203.0.113.2, 10.1.2.3`);
    expect(await send(behindProxy, invented)).toEqual([...allowed, 429]);
  });

  test("use the connection's address without a trusted proxy", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}`);
    expect(await send(open, invented)).toEqual([...allowed, 429]);
  });
});

test("an IPv4 address has one spelling on a socket for both families, too", () => {
  for (const [ip, plain] of [
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8::1", "2001:db8::1"],
  ] as const)
    expect(createContext(open.services, { origin: { ip } }).origin.ip).toBe(plain);
});

describe("forwarded addresses with ports", () => {
  test("count as the address", async () => {
    const ports = (address: string) => Array.from({ length: 6 }, (_, n) => `${address}:${4_000 + n}`);
    expect(await send(behindProxy, ports("203.0.113.4"))).toEqual([...allowed, 429]);
    expect(await send(behindProxy, ports("[2001:db8:4::1]"))).toEqual([...allowed, 429]);
    expect(await send(behindProxy, times(1, "[2001:db8:4::9]"))).toEqual([429]);
  });

  test("are recognised as trusted proxies", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}:80, 203.0.113.5:${n + 1}, 10.1.2.3:9000`);
    expect(await send(behindProxy, invented)).toEqual([...allowed, 429]);
  });
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

import { describe, expect, test } from "vitest";
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

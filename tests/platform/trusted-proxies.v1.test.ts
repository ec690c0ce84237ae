import { describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "#tests/support/test-app.ts";

const behindProxy = await startTestApp({ rateLimits: true, trustedProxies: ["loopback", "10.0.0.0/8"] });
const open = await startTestApp({ rateLimits: true });

const body = { name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" };

/** The statuses of messages, one for each way that they came, all over a connection from the loopback address. */
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

describe("clients are told apart by their addresses", () => {
  test("which a trusted proxy names, and each has limits of its own", async () => {
    expect(await send(behindProxy, times(6, "203.0.113.1"))).toEqual([...allowed, 429]);
    expect(await send(behindProxy, times(6, "2001:db8::1"))).toEqual([...allowed, 429]);
  });

  test("through several proxies, while what a client itself puts in the header changes nothing", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}, 203.0.113.2, 10.1.2.3`);
    expect(await send(behindProxy, invented)).toEqual([...allowed, 429]);
  });

  test("and without a trusted proxy nobody can name another address than the connection's", async () => {
    const invented = Array.from({ length: 6 }, (_, n) => `198.51.100.${n}`);
    expect(await send(open, invented)).toEqual([...allowed, 429]);
  });
});

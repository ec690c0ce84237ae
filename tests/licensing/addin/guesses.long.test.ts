import { expect, test } from "vitest";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { buildRequest } from "#tests/factories/addin.ts";
import { createSignedIn } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

// Enough guesses to exceed both the limit of each address and the overall limit.
const GUESSES = 5_000;
const ADDRESSES = 160;
const AT_ONCE = 40;
/** Limits that `refuseUnknownCode` applies per minute. */
const OF_ONE_ADDRESS = 30;
const OF_ALL = 1_000;

const calls: [string, Record<string, unknown>][] = [
  ["activate", {}],
  ["validate", {}],
  ["lease", { sessionId: "guess" }],
  ["heartbeat", { leaseId: "7ae2f0a1-4c1b-4d52-9f3e-1b2c3d4e5f60" }],
  ["release", { leaseId: "7ae2f0a1-4c1b-4d52-9f3e-1b2c3d4e5f60" }],
  ["usage", { events: [{ id: "guess", kind: "conversion", atUtc: "2025-03-05T01:00:00Z" }] }],
  ["deactivate", { reason: "Guess" }],
  ["move/code", {}],
  ["move/devices", { emailCode: "123456" }],
];

/** Returns the address of guess `n`. Half of the addresses are IPv6, 16 per network, which share a limit. */
function getAddress(n: number): { ip: string; limitedAs: string } {
  const place = n % ADDRESSES;
  if (place % 2 === 0) return { ip: `10.1.${place >> 8}.${place & 255}`, limitedAs: String(place) };
  const network = Math.floor(place / 32);
  return { ip: `2001:db8:0:${network}::${place.toString(16)}`, limitedAs: `network ${network}` };
}

test("creates no counter for a guessed code in a request file", async () => {
  const { token } = await createSignedIn(app);
  const requestFile = JSON.stringify(buildRequest(app, generateLicenceCode()));
  expect((await app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token })).status).toBe(404);
  expect((await app.services.pool.query("select key from rate_limits where key like 'activation:%'")).rows).toEqual([]);
  await app.services.pool.query("delete from rate_limits");
});

test("looks up at most 30 guesses per address and 1,000 of 5,000 overall, and answers all of them alike", async () => {
  const startedAt = performance.now();
  const answered = new Map<string, number>();
  const shapes = new Set<string>();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < GUESSES) {
        const n = next++;
        const { ip: remoteAddress, limitedAs } = getAddress(n);
        // Starts with every call, then continues with the call a guesser would use.
        const [call = "", more] = calls[n < 1_400 ? n % calls.length : 1] ?? [];
        const payload = buildRequest(app, generateLicenceCode(), { machineToken: "guess", ...more });
        const answer = await app.app.inject({ method: "POST", url: `/v1/licence/${call}`, remoteAddress, payload });
        const json = answer.json() as { data?: { serverTimeUtc: string }; requestId?: string };
        if (answer.statusCode === 200) answered.set(limitedAs, (answered.get(limitedAs) ?? 0) + 1);
        else expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
        shapes.add(
          JSON.stringify([
            answer.statusCode,
            json.data ? { ...json.data, serverTimeUtc: "" } : { ...json, requestId: "" },
          ]),
        );
      }
    }),
  );
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  const total = [...answered.values()].reduce((sum, count) => sum + count, 0);

  // There are only two answers: unknown code, and rate limited.
  expect(new Set([...shapes].map((shape) => JSON.parse(shape)[0]))).toEqual(new Set([200, 429]));
  expect(shapes.size).toBe(2);
  expect(total).toBeLessThanOrEqual(OF_ALL * (minutes + 1));
  expect(total).toBeGreaterThanOrEqual(OF_ALL);
  expect(Math.max(...answered.values())).toBeLessThanOrEqual(OF_ONE_ADDRESS * (minutes + 1));
  // Each answer adds one licence event, and each address one counter. Rate-limited requests write nothing.
  expect(await app.services.orm.em.fork().count(LicenceEvent, { licenceId: null, kind: { $ne: "offline" } })).toBe(
    total,
  );
  const { rows } = await app.services.pool.query("select count(*)::int as count from rate_limits");
  expect(rows[0].count).toBeLessThanOrEqual(ADDRESSES + 1);
});

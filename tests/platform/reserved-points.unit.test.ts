import { expect, test, vi } from "vitest";
import { AppError } from "#api/platform/errors.ts";
import type { RateLimits } from "#api/platform/limits/rate-limits.ts";
import { createReservedPoints } from "#api/platform/limits/reserved-points.ts";

function createLimits() {
  const taken: number[] = [];
  const take: RateLimits["take"] = async (name, key, points = 1) => {
    taken.push(points);
    return { name, key, windowEndsBy: 0 };
  };
  return { taken, rateLimits: { take } as RateLimits };
}

test("takes points from the limits that the services have now, once for each chunk", async () => {
  const [one, other] = [createLimits(), createLimits()];
  const services = { rateLimits: one.rateLimits };
  const take = createReservedPoints(services, "graphqlByAddress", 100);
  for (let request = 0; request < 11; request++) await take("192.0.2.1", 10);
  expect(one.taken).toEqual([100, 100]);
  services.rateLimits = other.rateLimits;
  await take("192.0.2.1", 10);
  expect([one.taken, other.taken]).toEqual([[100, 100], [100]]);
});

test("lets requests that arrive together share a chunk", async () => {
  const { taken, rateLimits } = createLimits();
  const take = createReservedPoints({ rateLimits }, "graphqlByAddress", 100);
  await Promise.all(Array.from({ length: 11 }, () => take("192.0.2.1", 10)));
  expect(taken).toEqual([100, 100]);
});

test("a refused request doesn't refuse a cheaper one that waits for it", async () => {
  const take = vi.fn(async (_name: string, _key: string, points = 1) => {
    if (points > 100) throw new AppError("RATE_LIMITED");
  });
  const rateLimits = { take } as unknown as RateLimits;
  const takePoints = createReservedPoints({ rateLimits }, "graphqlByAddress", 100);
  const requests = [500, 10, 500, 10].map((points) => takePoints("192.0.2.1", points));
  const outcomes = await Promise.allSettled(requests);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
  expect(take.mock.calls.map(([, , points]) => points)).toEqual([500, 100]);
});

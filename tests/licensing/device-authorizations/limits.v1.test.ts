import { expect, test } from "vitest";
import { viewAuthorization, openAuthorization, requestAuthorization } from "#tests/factories/device-authorization.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("limits requests to five a minute per address, and wrong codes to ten in ten minutes per account", async () => {
  const { userCode } = await openAuthorization(app);
  for (let n = 0; n < 4; n++) expect((await requestAuthorization(app)).status).toBe(200);
  const refused = await requestAuthorization(app);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  const token = await signInAs(app, await createUser(app));
  const lookUpResult = async (typed: string, as = token) =>
    (await viewAuthorization(app, typed, as)).errors?.[0]?.extensions.code ?? "found";
  // Correct codes don't count as guesses.
  for (let n = 0; n < 12; n++) expect(await lookUpResult(userCode)).toBe("found");
  const guesses = await Promise.all(Array.from({ length: 15 }, () => lookUpResult("BBBB-BBBB")));
  expect(guesses.filter((code) => code === "BAD_USER_INPUT")).toHaveLength(10);
  expect(guesses.filter((code) => code === "RATE_LIMITED")).toHaveLength(5);
  // After too many guesses, even the correct code is refused.
  expect(await lookUpResult(userCode)).toBe("RATE_LIMITED");
  expect(await lookUpResult(userCode, await signInAs(app, await createUser(app)))).toBe("found");
});

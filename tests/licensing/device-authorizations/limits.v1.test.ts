import { expect, test } from "vitest";
import { lookUp, openAuthorization, requestAuthorization } from "#tests/factories/device-authorization.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("five activations a minute are begun from one address, and ten wrong codes in ten minutes tried by one account", async () => {
  const { userCode } = await openAuthorization(app);
  for (let n = 0; n < 4; n++) expect((await requestAuthorization(app)).status).toBe(200);
  const refused = await requestAuthorization(app);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  const token = await signInAs(app, await createUser(app));
  const codeOf = async (typed: string, as = token) =>
    (await lookUp(app, typed, as)).errors?.[0]?.extensions.code ?? "found";
  // Right ones are no guesses, however often.
  for (let n = 0; n < 12; n++) expect(await codeOf(userCode)).toBe("found");
  const guesses = await Promise.all(Array.from({ length: 15 }, () => codeOf("BBBB-BBBB")));
  expect(guesses.filter((code) => code === "BAD_USER_INPUT")).toHaveLength(10);
  expect(guesses.filter((code) => code === "RATE_LIMITED")).toHaveLength(5);
  // Who has guessed too often learns nothing of a right one either.
  expect(await codeOf(userCode)).toBe("RATE_LIMITED");
  expect(await codeOf(userCode, await signInAs(app, await createUser(app)))).toBe("found");
});

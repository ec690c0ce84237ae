import { expect, test } from "vitest";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

const validate = async (token: string, promoCode = "GUESS") =>
  (await app.rest("POST", "/v1/promoCode/validate", { token, body: { itemAmount: 100, promoCode } })).status;

test("allows ten attempts an hour per user and thirty per IP address", async () => {
  await createPromoCode(app, { code: "RIGHT" });
  const first = await signInAs(app, await createUser(app));
  for (let n = 0; n < 10; n++) expect(await validate(first, n % 2 ? "RIGHT" : "GUESS")).toBe(n % 2 ? 200 : 400);
  expect(await validate(first, "RIGHT")).toBe(429);

  for (let user = 0; user < 2; user++) {
    const token = await signInAs(app, await createUser(app));
    for (let n = 0; n < 10; n++) expect(await validate(token)).toBe(400);
  }
  expect(await validate(await signInAs(app, await createUser(app)), "RIGHT")).toBe(429);
});

import { expect, test } from "vitest";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

const validate = async (token: string, promoCode = "GUESS") =>
  (await app.rest("POST", "/v1/promoCode/validate", { token, body: { itemAmount: 100, promoCode } })).status;

test("ten tries an hour a person and thirty an address, right or wrong", async () => {
  await createPromoCode(app, { code: "RIGHT" });
  const first = await signInAs(app, await createUser(app));
  for (let n = 0; n < 10; n++) expect(await validate(first, n % 2 ? "RIGHT" : "GUESS")).toBe(n % 2 ? 200 : 400);
  expect(await validate(first, "RIGHT")).toBe(429);

  for (let person = 0; person < 2; person++) {
    const token = await signInAs(app, await createUser(app));
    for (let n = 0; n < 10; n++) expect(await validate(token)).toBe(400);
  }
  expect(await validate(await signInAs(app, await createUser(app)), "RIGHT")).toBe(429);
});

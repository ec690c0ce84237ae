import { expect, test } from "vitest";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const createTrial = "/v1/subscriptions/create-trial";
const checkTrial = "/v1/subscriptions/check-trial";

test.each(["GET", "POST"])(
  "%s create-trial returns the licence code once and forbids caching the response",
  async (method) => {
    const user = await createUser(app);
    const token = await signInAs(app, user);
    expect((await app.rest("GET", checkTrial, { token })).json).toBe(false);
    const { status, json, headers } = await app.rest(method, createTrial, { token });
    expect(status).toBe(200);
    expect(isWellFormedLicenceCode(json)).toBe(true);
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await app.rest("GET", checkTrial, { token })).json).toBe(true);
    expect((await app.rest("GET", `/v1/licence/${user.id}`, { token })).json).toMatchObject([
      { licenceCode: json, subscriptionLevel: "Trial", status: "ACTIVE" },
    ]);

    const again = await app.rest(method, createTrial, { token });
    expect(again.status).toBe(409);
    expect(again.json).toEqual({
      Message:
        "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.",
      requestId: expect.any(String),
    });
  },
);

test("refuses visitors and corporate customers", async () => {
  const corporate = await signInAs(app, await createCorporateUser(app));
  for (const [method, path] of [
    ["GET", checkTrial],
    ["GET", createTrial],
    ["POST", createTrial],
  ] as const) {
    expect((await app.rest(method, path)).status).toBe(401);
    expect((await app.rest(method, path, { token: corporate })).status).toBe(403);
  }
});

import { expect, test } from "vitest";
import { createTokenWithScopes } from "#tests/factories/personal-access-token.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });

test("limits a user's tokens to 600 calls a minute across both APIs, without affecting the portal or other users", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  const tokens = [
    await createTokenWithScopes(app, user, ["profile:read", "licences:read"]),
    await createTokenWithScopes(app, user, ["profile:read", "licences:read"]),
  ] as const;
  const session = await signInAs(app, user);
  const { rateLimits } = app.services;
  for (let n = 0; n < 598; n++) await rateLimits.take("personalAccessToken", user.id);
  const rest = (token: string, id = user.id) => app.rest("GET", `/v1/licence/${id}`, { token });
  const graphql = (token: string) => app.graphql("{ me { id } }", {}, token);
  expect((await rest(tokens[0])).status).toBe(200);
  expect((await graphql(tokens[1])).status).toBe(200);
  for (const token of tokens) {
    const refused = await rest(token);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await graphql(token)).status).toBe(429);
    // The limit also rejects a call beyond the token's scopes, before the scopes are checked.
    expect((await app.rest("GET", "/v1/promoCode", { token })).status).toBe(429);
  }
  expect((await graphql(session)).status).toBe(200);
  expect((await rest(session)).status).toBe(200);
  expect((await rest(await createTokenWithScopes(app, other, ["licences:read"]), other.id)).status).toBe(200);
});

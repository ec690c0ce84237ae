import { expect, test } from "vitest";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);

test("returns the same new token for 10 concurrent refreshes of one token", async () => {
  for (let round = 0; round < 12; round++) {
    const user = await createUser(app);
    const signedIn = await app.rest("POST", "/v1/core/auth/token", {
      body: { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" },
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.rest("POST", "/v1/core/auth/token", {
          body: { RefreshToken: signedIn.json.refresh_token, ClientId: "portal", GrantType: "refresh_token" },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => answer.json.refresh_token)).size).toBe(1);
    const { rows } = await app.services.pool.query(
      `select count(*) filter (where t.rotated_at is null)::int as live, count(*)::int as all
         from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1`,
      [user.id],
    );
    expect(rows[0]).toEqual({ live: 1, all: 2 });
  }
}, 60_000);

test("keeps two tabs signed in over 400 refreshes across two processes, then revokes the family for a reused token", async () => {
  const user = await createUser(app);
  const { json } = await call("POST", "/v1/core/auth/token", {
    UserName: user.email,
    Password: testPassword,
    ClientId: "portal",
    GrantType: "password",
  });
  const me = async (token: string) =>
    (await app.graphql("{ me { id } }", {}, token)).data?.me?.id as string | undefined;
  const refresh = (RefreshToken: string) =>
    call("POST", "/v1/core/auth/token", { RefreshToken, ClientId: "portal", GrantType: "refresh_token" });

  // The token storage both tabs share, without the lock browsers provide. This is the harder case.
  let stored = json as { access_token: string; refresh_token: string };
  const earliest = stored.refresh_token;
  const refusals: unknown[] = [];
  const used = new Set<string>();
  const tab = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const sent = stored.refresh_token;
      used.add(sent);
      const answer = await refresh(sent);
      if (answer.status !== 200) refusals.push(answer.json);
      else if (stored.refresh_token === sent) stored = answer.json;
    }
  };
  await Promise.all([tab(200), tab(200)]);
  expect(refusals).toEqual([]);
  // The tabs did race: there are fewer tokens than refreshes, but more than if one tab had waited for the other.
  expect(used.size).toBeLessThan(400);
  expect(used.size).toBeGreaterThan(160);
  expect(await me(stored.access_token)).toBe(user.id);

  // The grace period counts real seconds, so the test backdates the rotations instead of waiting.
  await app.services.pool.query(
    `update refresh_tokens t set rotated_at = rotated_at - interval '11 seconds'
       from sessions s where s.id = t.session_id and s.user_id = $1 and t.rotated_at is not null`,
    [user.id],
  );
  expect((await refresh(earliest)).json).toHaveProperty("invalid_refreshtoken");
  expect((await refresh(stored.refresh_token)).json).toHaveProperty("invalid_refreshtoken");
  expect(await me(stored.access_token)).toBeUndefined();
}, 60_000);

import { expect, test } from "vitest";
import { createUser, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("10 parallel refreshes of one token leave one live child and one answer, 30 rounds", async () => {
  for (let round = 0; round < 30; round++) {
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

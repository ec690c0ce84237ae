import { expect, test } from "vitest";
import { createUser, buildRegistration } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);

async function countStored(email: string): Promise<{ owners: number; waiting: number }> {
  const { rows } = await app.services.pool.query(
    `select count(*) filter (where sign_in_email is not null)::int as owners,
            count(*) filter (where sign_in_email is null)::int as waiting from users where lower(email) = $1`,
    [email],
  );
  return rows[0];
}

test("keeps one of eight concurrent registrations of an email address, whether or not the address is taken", async () => {
  for (let round = 0; round < 5; round++) {
    for (const email of [(await createUser(app)).email, buildRegistration().email]) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => call("POST", "/v1/core/accounts", buildRegistration({ email }))),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect(await countStored(email)).toEqual({ owners: 1, waiting: 1 });
    }
  }
}, 60_000);

test("doesn't deadlock when registrations switch between two taken email addresses concurrently", async () => {
  const owners = [await createUser(app), await createUser(app)];
  for (let round = 0; round < 5; round++) {
    const handles = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await call("POST", "/v1/core/accounts", buildRegistration())).json as string,
      ),
    );
    const answers = await Promise.all(
      handles.map((userId, n) =>
        call("PUT", "/v1/core/accounts/change-email-address/", { userId, email: owners[n % 2]?.email }),
      ),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    for (const { email } of owners) expect(await countStored(email)).toEqual({ owners: 1, waiting: 1 });
  }
}, 60_000);

import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { buildProfile } from "#tests/factories/account.ts";
import { buildRegistration, createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp({ rateLimits: true });
const call = await alternateProcesses(app);
const accounts = "/v1/core/accounts";

test("sends at most 3 account emails an hour to an unconfirmed address, whoever requests them", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const other = await signInAs(app, await createUser(app));
  for (let round = 0; round < ROUNDS.of10; round++) {
    await app.services.pool.query("delete from rate_limits");
    const { email } = buildRegistration();
    const { json: handle } = await call("POST", accounts, buildRegistration({ email }));
    const { id } = await app.context().em.findOneOrFail(User, { confirmationHandle: handle });
    const byStaff = (name: string) =>
      call("POST", "/graphql", { query: `mutation { ${name}(userId: "${id}") { id } }` }, admin);
    const responses = await Promise.all([
      ...Array.from({ length: 3 }, () => call("POST", `${accounts}/resend-confirmation-email/${handle}`)),
      ...Array.from({ length: 3 }, () => call("PATCH", `${accounts}/${email}/password/reset/request`)),
      byStaff("sendPasswordReset"),
      byStaff("resendUserConfirmation"),
      call("POST", accounts, buildRegistration({ email })),
      call("PUT", `${accounts}/update-profile`, buildProfile({ email }), other),
    ]);
    // A registration of the same address replaces the handle. A request that was counted under the old one sends nothing.
    const unsent = responses.filter(({ status }) => status === 404).length;
    const sent = (await listEmailsTo(app, email as string)).length;
    expect(sent).toBeLessThanOrEqual(3);
    expect(sent).toBeGreaterThanOrEqual(3 - unsent);
  }
});

import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ rateLimits: true });
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();
const send = (name: "sendPasswordReset" | "resendUserConfirmation", userId: string) =>
  app.graphql(`mutation ($userId: ID!) { ${name}(userId: $userId) { id } }`, { userId }, admin);
const listActions = async (subjectId: string) =>
  (await em().find(AuditEntry, { subjectId })).map(({ action, after }) => [action, after]);

describe("sendPasswordReset", () => {
  test("emails a link that works, and records who sent it", async () => {
    const user = await createUser(app);
    expect((await send("sendPasswordReset", user.id)).data).toEqual({ sendPasswordReset: { id: user.id } });
    const resetToken = await findEmailedSecret(app, user.email);
    const { data } = await app.graphql("query ($input: ResetTokenInput!) { isResetTokenValid(input: $input) }", {
      input: { resetToken },
    });
    expect(data.isResetTokenValid).toBe(true);
    expect(await listActions(user.id)).toEqual([["send-password-reset", { sentTo: user.email }]]);
  });

  test("returns RATE_LIMITED after five emails a day to one address", async () => {
    const user = await createUser(app);
    for (let n = 0; n < 5; n++) expect((await send("sendPasswordReset", user.id)).errors).toBeUndefined();
    expect((await send("sendPasswordReset", user.id)).errors?.[0]?.extensions.code).toBe("RATE_LIMITED");
    expect(await listEmailsTo(app, user.email)).toHaveLength(5);
    expect(await listActions(user.id)).toHaveLength(5);
  });

  test("returns CONFLICT for an archived user and sends nothing", async () => {
    const user = await createUser(app, { archivedAt: app.clock.now() });
    expect((await send("sendPasswordReset", user.id)).errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect(await listEmailsTo(app, user.email)).toEqual([]);
  });

  test("returns NOT_FOUND for an unknown and a malformed id", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "no-id"])
      expect((await send("sendPasswordReset", id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});

test("sends no reset link for a registration with another account's address", async () => {
  const owner = await createUser(app);
  const user = await createUser(app, { email: owner.email, signInEmail: null, emailConfirmedAt: null });
  expect((await send("sendPasswordReset", user.id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect(await listEmailsTo(app, owner.email)).toEqual([]);
});

describe("resendUserConfirmation", () => {
  test("emails a new confirmation link to an unconfirmed address", async () => {
    const user = await createUser(app, { emailConfirmedAt: null });
    expect((await send("resendUserConfirmation", user.id)).errors).toBeUndefined();
    expect((await listEmailsTo(app, user.email))[0]?.text).toContain("/confirm-email");
    expect(await listActions(user.id)).toEqual([["resend-confirmation", { sentTo: user.email }]]);
  });

  test("sends the link of an email change to the new address only", async () => {
    const pendingEmail = `new-${Math.trunc(performance.now() * 1000)}@planning.test`;
    const user = await createUser(app, { pendingEmail });
    expect((await send("resendUserConfirmation", user.id)).errors).toBeUndefined();
    expect(await listEmailsTo(app, user.email)).toEqual([]);
    expect(await listEmailsTo(app, pendingEmail)).toHaveLength(1);
  });

  test("returns CONFLICT if the address is confirmed", async () => {
    const user = await createUser(app);
    const { errors } = await send("resendUserConfirmation", user.id);
    expect(errors?.[0]).toMatchObject({
      message: "This user has already confirmed their email address.",
      extensions: { code: "CONFLICT" },
    });
  });
});

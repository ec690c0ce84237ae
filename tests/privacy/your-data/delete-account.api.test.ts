import { expect, test } from "vitest";
import { EmailToken } from "#api/access/registration/email-token.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { RefreshToken, Session } from "#api/access/sessions/session.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { createContact } from "#tests/factories/contact.ts";
import { blockMachine, createLicence, createSubscription } from "#tests/factories/licence.ts";
import {
  createCorporateUser,
  createUser,
  buildRegistration,
  signInAs,
  testPassword,
  createSignedIn,
} from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { finishErasures } from "#tests/support/finish-erasures.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createAccountCalls, deleteAccount } from "#tests/factories/account.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();

async function remove(token: string, password = testPassword) {
  const answer = await deleteAccount(app, token, password);
  await finishErasures(app);
  return answer;
}
const { signIn } = createAccountCalls(app);

test("ends sessions and licences, erases personal data, keeps required records, and emails the old address", async () => {
  const company = { companyName: "Cobol & Co", abn: "53 004 085 616" };
  const user = await createUser(app, { firstName: "Grace", lastName: "Hopperton", ...company });
  const licence = await createLicence(app, user);
  const device = buildMachine({ machineName: "BNE-GRACE", osUser: "CO\\grace" });
  const activated = await callAddin(app, "activate", licence, { machine: device });
  await createSubscription(app, licence);
  await createContact(app, user);
  await blockMachine(app, user, "GRACE-OLD");
  const here = await signInAs(app, user);
  const there = await signInAs(app, user);

  expect((await remove(here)).data).toEqual({ deleteMyAccount: { id: user.id } });

  for (const token of [here, there])
    expect((await app.graphql("me { id }", {}, token)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  expect((await signIn(user.email)).json).toEqual({
    invalid_grant: ["Sorry, your user name or password is incorrect."],
  });
  const { machineToken } = activated.json.data;
  const validated = await callAddin(app, "validate", licence, { machine: device, machineToken });
  expect(validated.json.data).toMatchObject({ valid: false, code: "ACCOUNT_INACTIVE" });
  await callAddin(app, "lease", licence, { machine: device, machineToken, sessionId: "one" });
  await callAddin(app, "move/code", licence, { machine: device });
  await callAddin(app, "release", licence, { machine: device, machineToken, leaseId: licence.id });

  const left = await em().findOneOrFail(User, user.id, { populate: ["passwordHash"] });
  const email = `deleted-${user.id}@deleted.invalid`;
  expect(left).toMatchObject({ firstName: "Deleted", lastName: "User", email, signInEmail: null, isActive: false });
  const street = ["streetNumber", "streetName", "city", "postCode"] as const;
  for (const name of ["mobile", "companyName", "abn", "position", ...street] as const)
    expect([name, left[name]]).toEqual([name, ""]);
  expect(left.deletedAt).not.toBeNull();
  expect(left.passwordHash).not.toBe(user.passwordHash);

  const kept = await em().findOneOrFail(Licence, licence.id);
  expect(kept.revokedAt).not.toBeNull();
  const subscription = await em().findOneOrFail(Subscription, { user: user.id });
  expect(subscription.status).toBe("cancelled");
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map((event) => event.kind)).toEqual(["activate", "revoke", "validate", "lease", "move", "release"]);
  // The add-in still sends requests, but the new events don't identify the user or the machine.
  for (const { machineName, osUser, ip } of events) expect([machineName, osUser, ip]).toEqual([null, null, null]);
  for (const entity of [Session, EmailToken, Contact] as const)
    expect(await em().count(entity as typeof Session, { user: user.id })).toBe(0);
  expect(await em().count(RefreshToken, { session: { user: user.id } })).toBe(0);

  const [last, ...others] = await listEmailsTo(app, user.email);
  expect(others).toEqual([]);
  expect(last?.subject).toBe("Your Planvarro Software account was deleted");
  expect(last?.text).toContain("Hello Grace,");
});

test("allows the address to register again but not to start another trial", async () => {
  const { email, ...rest } = buildRegistration();
  const { token } = await createSignedIn(app, { email });
  const start = (token: string) => app.graphql("startTrial { id }", { acceptedTheTerms: true }, token);
  expect((await start(token)).errors).toBeUndefined();
  await remove(token);
  const { json: handle } = await app.rest("POST", "/v1/core/accounts", { body: { email, ...rest } });
  const again = await em().findOneOrFail(User, { confirmationHandle: handle });
  expect(again.signInEmail).toBe(email);
  expect((await start(await signInAs(app, again))).errors?.[0]?.extensions.code).toBe("CONFLICT");
});

test.each([
  ["a wrong password", "Wrong-pass-1", "Your password is incorrect."],
  ["no password", "", "Password is required."],
  ["a password of 1,001 characters", "a".repeat(1_001), "Password is too long."],
])("rejects a deletion with %s, and changes nothing", async (_, password, message) => {
  const { user, token } = await createSignedIn(app);
  const { errors } = await remove(token, password);
  expect(errors?.[0]?.extensions).toEqual({ code: "BAD_USER_INPUT", fields: { password: [message] } });
  expect((await app.graphql("me { email }", {}, token)).data.me.email).toBe(user.email);
  expect(await listEmailsTo(app, user.email)).toEqual([]);
});

test("deletes a corporate customer's account once for concurrent requests", async () => {
  const user = await createCorporateUser(app);
  const token = await signInAs(app, user);
  const responses = await Promise.all([remove(token), remove(token)]);
  expect(responses.filter(({ data }) => data?.deleteMyAccount?.id === user.id).length).toBeGreaterThan(0);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

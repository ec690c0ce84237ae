import { expect, test } from "vitest";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { createDevice, createLicence, createSubscription, createTrialLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const now = app.clock.now();

async function readUsers(ids: readonly string[], fields: string, token = admin) {
  const aliases = ids.map((id, n) => `u${n}: user(id: "${id}") { ${fields} }`);
  const { data, errors } = await app.graphql(`{ ${aliases.join(" ")} }`, {}, token);
  expect(errors).toBeUndefined();
  return ids.map((_, n) => data[`u${n}`]);
}

test("lists what needs attention about each user, from the lists of the admin home", async () => {
  const [overdue, trialling, calm] = [await createUser(app), await createUser(app), await createUser(app)];
  const unconfirmed = await createUser(app, { emailConfirmedAt: null });
  const licence = await createLicence(app, overdue, { expiresAt: addMilliseconds(now, 2 * DAY) });
  await createSubscription(app, licence, { status: "past_due", paidUntil: addMilliseconds(now, -DAY) });
  const trial = await createTrialLicence(app, trialling, { expiresAt: addMilliseconds(now, 2 * DAY) });
  await createLicence(app, calm, { expiresAt: addMilliseconds(now, 200 * DAY) });
  const ids = [overdue, trialling, calm, unconfirmed].map(({ id }) => id);
  const found = await readUsers(ids, "attention { list licenceId subscriptionId user { id } }");
  expect(found.map(({ attention }) => attention.map(({ list }: { list: string }) => list))).toEqual([
    ["FAILED_RENEWALS"],
    ["TRIALS_ENDING"],
    [],
    ["UNCONFIRMED_ACCOUNTS"],
  ]);
  expect(found[1].attention[0]).toMatchObject({ licenceId: trial.id, user: { id: trialling.id } });
});

test("lists the latest emails to a user's own address with their delivery", async () => {
  const user = await createUser(app, { registeredAt: addMilliseconds(now, -DAY) });
  const shadow = await createUser(app, { email: user.email, signInEmail: null });
  const em = app.services.orm.em.fork();
  const write = (subject: string, changes: Partial<Email>) =>
    em.create(Email, {
      to: user.email.toUpperCase(),
      subject,
      text: "",
      html: "",
      createdAt: addMilliseconds(now, -HOUR),
      ...changes,
    } as Email);
  write("Before the registration", { createdAt: addMilliseconds(now, -2 * DAY) });
  await em.flush();
  write("Delivered", { sentAt: now });
  await em.flush();
  write("Refused", { refusedAt: now, lastError: "550 no such user" });
  await em.flush();
  write("Waiting", {});
  await em.flush();
  const [own, others] = await readUsers([user.id, shadow.id], "emails { subject state }");
  expect(own.emails).toEqual([
    { subject: "Waiting", state: "WAITING" },
    { subject: "Refused", state: "REFUSED" },
    { subject: "Delivered", state: "SENT" },
  ]);
  expect(others.emails).toEqual([]);
});

test("counts the active devices of each licence", async () => {
  const user = await createUser(app);
  const [used, unused] = [await createLicence(app, user, { numberOfMachines: 3 }), await createLicence(app, user)];
  await createDevice(app, used);
  await createDevice(app, used);
  await createDevice(app, used, { freedAt: now });
  const [{ licences }] = await readUsers([user.id], "licences { id deviceCount }");
  expect(licences).toEqual(
    expect.arrayContaining([
      { id: used.id, deviceCount: 2 },
      { id: unused.id, deviceCount: 0 },
    ]),
  );
});

test("shows finance no comments and no history", async () => {
  const user = await createUser(app);
  const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  const read = async (fields: string) =>
    (await app.graphql(`query ($id: ID!) { user(id: $id) { ${fields} } }`, { id: user.id }, finance)).errors?.[0]
      ?.extensions.code;
  expect(await read("attention { id } emails { id }")).toBeUndefined();
  for (const fields of ["comments { id }", "timeline { total }", "sessions { id }"])
    expect(await read(fields)).toBe("FORBIDDEN");
});

test("shows the IP address of a blocked attempt to support, but not to finance", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const em = app.services.orm.em.fork();
  em.create(LicenceEvent, {
    at: now,
    lastAt: now,
    kind: "validate",
    resultCode: 20,
    licenceId: licence.id,
    machineName: "OLD-LAPTOP",
    ip: "203.0.113.7",
  });
  await em.flush();
  for (const [role, from] of [
    ["support", " from 203.0.113.7"],
    ["finance", ""],
  ] as const) {
    const token = await signInAs(app, await createAdmin(app, { staffRoles: [role] }));
    const [{ attention }] = await readUsers([user.id], "attention { list what }", token);
    expect(attention).toEqual([
      { list: "BLOCKED_ATTEMPTS", what: `Blocked machine OLD-LAPTOP tried to connect${from}` },
    ]);
  }
});

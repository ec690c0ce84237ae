import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterEach, expect, test } from "vitest";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { closeUnconfirmed } from "#api/access/registration/unconfirmed-registrations.ts";
import { announceExpiries } from "#api/licensing/licences/announce-expiries.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { createContext } from "#api/platform/context.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishSoftware } from "#api/releases/software/change-offer.ts";
import { toCode } from "#schema/closed-list.ts";
import { isOwnerEventType, staffEventTypes, subscribedEventTypes, webhookEvents } from "#schema/webhooks.ts";
import { buildProfile, createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createContact } from "#tests/factories/contact.ts";
import { buildLease } from "#tests/factories/lease.ts";
import {
  blockMachine,
  createConcurrentLicence,
  createDevice,
  createLicence,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { buildRegistration, createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { createEndpoint, openWebhookCalls } from "#tests/factories/webhook.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { queueDueWebhooks } from "#api/webhooks/endpoints/sweeps.ts";
import { runOnly } from "#tests/support/run-only.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();
afterEach(() => app.clock.setOffset(0));

const admin = await createAdmin(app, { staffRoles: ["owner"] });
const eventTypes = subscribedEventTypes.filter((type) => !isOwnerEventType(type));
const endpoint = await createEndpoint(app, receiver, admin, {
  eventTypes: eventTypes.map((type) => toCode(webhookEvents, type)),
});
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const isValid = ajv.compile((await app.rest("GET", "/webhook-events.json")).json as object);

/** Runs an action and returns the events of it, without their times, after checking them against their schema. */
async function getEventsOf(action: () => Promise<unknown>): Promise<{ type: string; data: Record<string, unknown> }[]> {
  await app.services.jobs.drain();
  const before = endpoint.posts().length;
  await action();
  await app.services.jobs.drain();
  const bodies = endpoint.posts().slice(before);
  for (const { json } of bodies) expect([json.type, isValid(json)]).toEqual([json.type, true]);
  return bodies
    .map(({ json: { type, data } }) => ({ type, data }))
    .toSorted((one, other) => one.type.localeCompare(other.type));
}

const mutate = async (call: string, variables: Record<string, unknown>) =>
  app.call(call, variables, await signInAs(app, admin));

test("sends a registration and a change of the own profile", async () => {
  const [created] = await getEventsOf(() =>
    app.rest("POST", "/v1/core/accounts", { body: buildRegistration({ email: "new@x.example" }) }),
  );
  expect(created).toEqual({ type: "user.created", data: { userId: expect.any(String) } });
  const user = await createUser(app);
  const input = buildProfile({ email: user.email, lastName: "King" });
  const token = await signInAs(app, user);
  const events = await getEventsOf(() => app.call("updateProfile { confirmationHandle }", { input }, token));
  expect(events).toMatchObject([{ type: "user.changed", data: { userId: user.id } }]);
  expect(events[0]?.data.fields).toEqual(expect.arrayContaining(["lastName"]));
});

test("sends a confirmed new address and its return, and not the request", async () => {
  const { confirm, updateProfile } = createAccountCalls(app);
  const user = await createUser(app);
  const email = freshEmail();
  const token = await signInAs(app, user);
  await updateProfile(token, buildProfile({ email: user.email }));
  expect(await getEventsOf(() => updateProfile(token, buildProfile({ email })))).toEqual([]);
  const changed = [{ type: "user.changed", data: { userId: user.id, fields: ["email"] } }];
  expect(await getEventsOf(async () => confirm(await findEmailedSecret(app, email)))).toEqual(changed);
  const note = (await listEmailsTo(app, user.email)).find(({ subject }) => subject.endsWith("has changed"));
  const secret = /\/undo-email-change\/\?t=([\w-]+)/.exec(note?.text ?? "")?.[1];
  const undo = () => app.rest("POST", "/v1/core/accounts/undo-email-change", { body: { token: secret } });
  expect(await getEventsOf(undo)).toEqual(changed);
});

test("sends the new address of a registration, also one that is taken, and its removal", async () => {
  const { register, changeUnconfirmedEmail } = createAccountCalls(app);
  const { email } = await createUser(app);
  const { json: handle } = await register(buildRegistration({ email }));
  const change = (to = freshEmail()) => getEventsOf(() => changeUnconfirmedEmail(handle, to));
  const [created] = await change();
  expect(created).toEqual({ type: "user.created", data: { userId: expect.any(String) } });
  const userId = created?.data.userId;
  expect(await change()).toEqual([{ type: "user.changed", data: { userId, fields: ["email"] } }]);
  // It isn't a user while another account has its address.
  expect(await change(email)).toEqual([{ type: "user.erased", data: { userId } }]);
  expect(await change()).toEqual([{ type: "user.created", data: { userId } }]);
  app.clock.setOffset(8 * DAY);
  const ended = await getEventsOf(() => runSweep(app.services, closeUnconfirmed));
  expect(ended).toContainEqual({ type: "user.erased", data: { userId } });
});

test("sends archiving with the suspended licences, restoring and erasing", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const own = await createEndpoint(app, receiver, user, { eventTypes: ["LICENCE_SUSPENDED", "LICENCE_REINSTATED"] });
  const run = (call: string, given: Record<string, unknown> = { id: user.id }) =>
    getEventsOf(() => mutate(call, given));
  const suspended = { userId: user.id, licence: { id: licence.id }, reason: "archived" };
  expect(await run("archiveUser { id }")).toMatchObject([
    { type: "licence.suspended", data: suspended },
    { type: "user.archived", data: { userId: user.id } },
  ]);
  expect(await run("restoreUser { id }")).toMatchObject([
    { type: "licence.reinstated", data: { userId: user.id, licence: { id: licence.id } } },
    { type: "user.restored", data: { userId: user.id } },
  ]);
  expect(own.posts().map(({ json }) => json.type)).toEqual(["licence.reinstated"]);
  expect(await run("eraseUser { id }", { userId: user.id })).toContainEqual({
    type: "user.erased",
    data: { userId: user.id },
  });
});

test("sends each change of a contact", async () => {
  const user = await createUser(app);
  const contact = { firstName: "Jo", lastName: "Bloggs", email: "jo@x.example", phone: "1", contactType: "IT" };
  let contactId: string | undefined;
  const write = async (call: string, input?: object) =>
    (contactId = (await mutate(call, { userId: user.id, id: contactId, input })).id);
  const added = await getEventsOf(() => write("addContact { id }", contact));
  expect(added).toEqual([{ type: "contact.created", data: { userId: user.id, contactId } }]);
  const change = () => write("updateContact { id }", { ...contact, phone: "2" });
  expect(await getEventsOf(change)).toEqual([
    { type: "contact.changed", data: { userId: user.id, contactId, fields: ["phone"] } },
  ]);
  expect(await getEventsOf(change)).toEqual([]);
  expect(await getEventsOf(() => write("deleteContact { id }"))).toEqual([
    { type: "contact.deleted", data: { userId: user.id, contactId } },
  ]);
});

test("sends what a merge of accounts and its undo move", async () => {
  const [kept, merged] = [await createUser(app), await createUser(app)];
  const { id: contactId } = await createContact(app, merged);
  await createLicence(app, merged);
  await blockMachine(app, merged, "OLD-LAPTOP");
  const moves = (from: string, to: string) => [
    { type: "contact.created", data: { userId: to, contactId } },
    { type: "contact.deleted", data: { userId: from, contactId } },
    { type: "user.changed", data: { userId: kept.id, fields: ["licences", "blockedMachines"] } },
  ];
  let id = "";
  const ids = { keptId: kept.id, mergedId: merged.id };
  const done = await getEventsOf(async () => void ({ id } = await mutate("mergeAccounts { id }", ids)));
  expect(done).toEqual(expect.arrayContaining(moves(merged.id, kept.id)));
  const undone = await getEventsOf(() => mutate("undoMerge { id }", { id }));
  expect(undone).toEqual(expect.arrayContaining(moves(kept.id, merged.id)));
});

test("refuses the events of staff to customers", async () => {
  const token = await signInAs(app, await createUser(app));
  for (const type of staffEventTypes) {
    const input = { url: receiver.url, description: "", eventTypes: [toCode(webhookEvents, type)] };
    expect((await openWebhookCalls(app).add({ input }, token)).errors?.[0]?.extensions.fields).toEqual({
      eventTypes: [`Only staff can receive ${type}.`],
    });
  }
});

test("sends changed seats, a refused seat and a deactivated device", async () => {
  const user = await createUser(app);
  const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
  const [one, other] = [await createDevice(app, licence), await createDevice(app, licence)];
  await buildLease(app, licence, one);
  expect(await getEventsOf(() => buildLease(app, licence, other))).toMatchObject([
    { type: "seat.refused", data: { userId: user.id, deviceId: other.id, seats: 1, seatsInUse: 1 } },
  ]);
  const input = { numberOfUsers: 4, numberOfMachines: 5, allowOnVms: true };
  const change = () => mutate("changeLicenceSeats { id }", { userId: user.id, licenceId: licence.id, input });
  expect(await getEventsOf(change)).toMatchObject([
    { type: "licence.changed", data: { licence: { id: licence.id, numberOfUsers: 4, numberOfMachines: 5 } } },
  ]);
  expect(await getEventsOf(change)).toEqual([]);
  const sold = { input: { deviceId: one.id, reason: "Sold" } };
  const events = await getEventsOf(() => mutate("deactivateDevice { code }", sold));
  expect(events).toMatchObject([
    { type: "device.deactivated", data: { userId: user.id, device: { id: one.id }, reason: "Sold" } },
  ]);
});

test("sends once that a licence expires in 7 days and expired, and that a trial ended", async () => {
  const user = await createUser(app);
  const expire = () => runSweep(app.services, announceExpiries);
  await expire();
  const licence = await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), 7 * DAY + HOUR) });
  const trial = await createTrialLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), HOUR) });
  expect(await getEventsOf(expire)).toEqual([]);
  app.clock.setOffset(2 * HOUR);
  expect(await getEventsOf(expire)).toMatchObject([
    { type: "licence.expiring", data: { userId: user.id, licence: { id: licence.id } } },
    { type: "trial.ended", data: { userId: user.id, licence: { id: trial.id } } },
  ]);
  expect(await getEventsOf(expire)).toEqual([]);
  app.clock.setOffset(8 * DAY);
  expect(await getEventsOf(expire)).toMatchObject([{ type: "licence.expired", data: { licence: { id: licence.id } } }]);
});

test("sends a published build", async () => {
  const actor = { userId: admin.id, sessionId: admin.id, role: "admin", staffRoles: ["owner"] } as const;
  const context = createContext(app.services, { actor });
  const file = { stage: 4, version: "8.1", fileName: "Setup.exe" };
  const { id } = await addBuild(context, file, async () => (await import("node:stream")).Readable.from(["installer"]));
  expect(await getEventsOf(() => publishSoftware(createContext(app.services, { actor }), id))).toEqual([
    { type: "build.published", data: { build: { id, name: "Production 8.1" } } },
  ]);
});

test("sends each event since a time once, with its ID, to the owner's endpoint", async () => {
  const user = await createUser(app);
  const own = await createEndpoint(app, receiver, user);
  await createLicence(app, user);
  const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1 });
  const change = (numberOfUsers: number) => {
    const input = { numberOfUsers, numberOfMachines: 9, allowOnVms: true };
    return mutate("changeLicenceSeats { id }", { userId: user.id, licenceId: licence.id, input });
  };
  await change(2);
  app.clock.setOffset(HOUR);
  const at = app.clock.now().toISOString();
  await change(3);
  await change(4);
  await app.services.jobs.drain();
  expect(own.posts()).toHaveLength(3);
  const isRecent = ({ json }: { json: { createdAt: string } }) => json.createdAt >= at;
  const recent = own.posts().filter(isRecent);
  expect(recent).toHaveLength(2);
  const token = await signInAs(app, user);
  const replay = (since: string) => app.call("replayWebhookEventsSince { count }", { id: own.id, since }, token);
  expect(await replay(at)).toEqual({ count: 2 });
  await runOnly(app, queueDueWebhooks);
  const listIds = (posts: typeof recent) =>
    posts.map(({ json }) => json.id as string).toSorted((one, other) => one.localeCompare(other));
  expect(listIds(own.posts().slice(3))).toEqual(listIds(recent));
  const old = addMilliseconds(app.clock.now(), -31 * DAY).toISOString();
  await expect(replay(old)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

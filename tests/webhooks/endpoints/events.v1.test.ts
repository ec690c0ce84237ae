import { expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { callAddin, buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { processRun, checkFile } from "#tests/factories/bulk.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { confirmAuthorization, openAuthorization, pollAuthorization } from "#tests/factories/device-authorization.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { buildLicenceInput } from "#tests/factories/licence-input.ts";
import {
  advanceTime,
  cardFields,
  createSubscriber,
  listProviderInvoices,
  postSubscription,
} from "#tests/factories/subscription.ts";
import { openSubscriptionActions } from "#tests/factories/subscription-actions.ts";
import { createAdmin, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { createEndpoint } from "#tests/factories/webhook.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const app = await startTestApp();
const receiver = await startReceiver();

const admin = await createAdmin(app);
const endpoint = await createEndpoint(app, receiver, admin);
let adminToken = "";

/** Returns the events about a user that the admin's endpoint received, in the order they were recorded. */
async function getEvents(userId: string) {
  await app.services.jobs.drain();
  const posts = endpoint.posts().map(({ json }) => json);
  return posts
    .filter(({ data }) => data.userId === userId)
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
}

/** Returns the types of events about a user with their details, sorted because the order of delivery isn't guaranteed. */
async function getKinds(userId: string): Promise<string[]> {
  const kinds = (await getEvents(userId)).map(({ type, data }) =>
    [type, ...(data.changes ?? []), data.reason, data.licence?.productLevelName].filter(Boolean).join(" "),
  );
  return kinds.toSorted();
}

const asAdmin = async () => (adminToken = await signInAs(app, admin));

test("licence.issued is also sent to the customer when staff add a licence, without its code or personal data", async () => {
  const user = await createUser(app, { firstName: "Grace", companyName: "Hopper Planning" });
  const mine = await createEndpoint(app, receiver, user);
  await app.rest("POST", "/v1/admin/licence", {
    token: await asAdmin(),
    body: { ...buildLicenceInput(), userId: user.id },
  });
  const [event, ...others] = await getEvents(user.id);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: "licence.issued",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: {
      userId: user.id,
      licence: {
        id: expect.any(String),
        supportCode: expect.stringMatching(/^S-/),
        productLevel: 16,
        productLevelName: expect.any(String),
        licenceType: 3,
        numberOfUsers: 5,
        numberOfMachines: 10,
      },
    },
  });
  expect(mine.posts()).toMatchObject([{ json: event }]);
  const { rows } = await app.services.pool.query("select licence_code as code from licences where user_id = $1", [
    user.id,
  ]);
  for (const hidden of [rows[0].code, user.email, "Grace", "Hopper"])
    expect(mine.posts()[0]?.body).not.toContain(hidden);
});

test("licence.issued is sent for a trial and for licences imported by staff", async () => {
  const user = await createUser(app);
  await app.rest("POST", "/v1/subscriptions/create-trial", { token: await signInAs(app, user) });
  expect(await getKinds(user.id)).toEqual(["licence.issued Trial"]);
  const other = await createUser(app);
  const csv = `Email,Product level,Licence type,Licence category,Activation type,Expiry Date\n${other.email},2,1,1,0,2030-06-30\n${other.email},1,1,1,0,2030-06-30\n`;
  const run = await checkFile(app, await asAdmin(), "kind=import-licences", csv);
  await processRun(app, adminToken, run.id);
  expect(await getKinds(other.id)).toEqual(["licence.issued Plus+", "licence.issued Professional"]);
});

test("licence.activated is sent once for each device, but not for repeated or rejected activations", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const me = buildMachine();
  const { json } = await callAddin(app, "activate", licence, { machine: me });
  await callAddin(app, "activate", licence, { machine: me });
  await callAddin(app, "activate", licence);
  const events = await getEvents(user.id);
  expect(events).toMatchObject([
    {
      type: "licence.activated",
      data: {
        licence: { id: licence.id, productLevel: 2, productLevelName: "Professional" },
        device: { id: json.data.machine.id, machineName: me.machineName },
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain(json.data.machineToken);
});

test("licence.activated is sent for a replaced device, an offline device and activation by signing in", async () => {
  const { user, token } = await createSignedIn(app);
  const licence = await createLicence(app, user, { numberOfMachines: 1 });
  const old = await createDevice(app, licence);
  await callAddin(app, "activate", licence, { replaceMachineId: old.id });
  expect(await getKinds(user.id)).toEqual([
    expect.stringMatching(/^device\.deactivated Replaced by .+ Professional$/),
    "licence.activated Professional",
  ]);

  const offline = await createLicence(app, user);
  const body = { requestFile: JSON.stringify(buildRequest(app, offline.licenceCode)) };
  expect((await app.rest("POST", "/v1/licence/offline", { body, token })).status).toBe(200);
  expect(await getEvents(user.id)).toHaveLength(3);

  const third = await createLicence(app, user);
  const open = await openAuthorization(app);
  await confirmAuthorization(app, { userCode: open.userCode, licenceId: third.id }, token);
  expect((await pollAuthorization(app, open)).json.data.resultCode ?? 1).toBe(1);
  expect(new Set((await getEvents(user.id)).map(({ data }) => data.licence.id))).toEqual(
    new Set([licence.id, offline.id, third.id]),
  );
});

test("licence.revoked is sent once for each licence that staff deactivate, and licence.reinstated if they reinstate it", async () => {
  const user = await createUser(app);
  const [one, other] = [await createLicence(app, user), await createLicence(app, user)];
  await app.rest("DELETE", `/v1/admin/licence/${user.id}/${one.id}`, { token: await asAdmin() });
  await app.rest("DELETE", `/v1/admin/licence/${user.id}/${one.id}`, { token: adminToken });
  const run = await checkFile(app, adminToken, "kind=deactivate-licences", `code\n${other.supportCode}\n`);
  await processRun(app, adminToken, run.id, "DEACTIVATE");
  const events = await getEvents(user.id);
  expect(events.map(({ type, data }) => [type, data.reason])).toEqual(
    Array(2).fill(["licence.revoked", "deactivated"]),
  );
  expect(new Set(events.map(({ data }) => data.licence.supportCode))).toEqual(
    new Set([one.supportCode, other.supportCode]),
  );
  expect(events[0]?.data.revokedAt).toEqual(expect.any(String));
  await app.call("reinstateLicence { id }", { userId: user.id, licenceId: one.id }, await asAdmin());
  const reinstated = { userId: user.id, licence: { id: one.id }, reinstatedAt: expect.any(String) };
  expect((await getEvents(user.id)).slice(2)).toMatchObject([{ type: "licence.reinstated", data: reinstated }]);
});

test("licence.revoked is sent with only ids when an account is deleted, and earlier events are erased", async () => {
  const { user } = await createSubscriber(app);
  const token = await signInAs(app, user);
  const mine = await createEndpoint(app, receiver, user);
  await getEvents(user.id);
  await deleteAccount(app, token);
  const kinds = await getKinds(user.id);
  expect(kinds).toContain("licence.revoked account-deleted Professional");
  expect(kinds).toContain("subscription.changed ended");
  expect(mine.posts()).toEqual([]);
  const { rows } = await app.services.pool.query("select type from webhook_events where user_id = $1 order by type", [
    user.id,
  ]);
  expect(rows.map(({ type }) => type)).toEqual(["licence.revoked", "subscription.changed"]);
});

test("subscription.changed and invoice.paid are sent throughout a subscription, from the trial to its end", {
  timeout: 60_000,
}, async () => {
  const user = await createUser(app);
  let token = await signInAs(app, user);
  await app.rest("POST", "/v1/subscriptions/create-trial", { token });
  await postSubscription(app, token, { productId: "xer-plus-monthly" });
  expect(await getKinds(user.id)).toEqual([
    "invoice.paid",
    "licence.issued Plus+",
    "licence.issued Trial",
    "licence.revoked replaced Trial",
    "subscription.changed begun",
  ]);
  const invoice = (await getEvents(user.id)).find(({ type }) => type === "invoice.paid")?.data.invoice;
  expect(invoice).toMatchObject({ currency: "AUD", priceId: "xer-plus-monthly", number: expect.any(String) });
  expect(invoice.amountCents + invoice.gstCents).toBe(invoice.totalCents);
  expect(JSON.stringify(await getEvents(user.id))).not.toMatch(/"4242"|cus_|sub_|pm_/);

  const next = async (expected: string[], work: () => Promise<unknown>) => {
    const before = (await getEvents(user.id)).length;
    await work();
    const count = (await getEvents(user.id)).length - before;
    const kinds = await getKinds(user.id);
    expect.soft(count, expected.join()).toBe(expected.length);
    for (const kind of expected) expect.soft(kinds).toContain(kind);
  };
  const call = (method: string, path: string) => app.rest(method, `/v1/subscriptions/${path}`, { token });
  await next(["subscription.changed cancelled", "licence.changed Plus+"], () => call("PATCH", "cancel-subscription"));
  await next(["subscription.changed resumed", "licence.changed Plus+"], () => call("PATCH", "resume-subscription"));
  await next(["subscription.changed plan-change-planned"], () =>
    call("PUT", "update-subscription/xer-standard-monthly"),
  );
  await next(["subscription.changed plan-changed", "invoice.paid", "licence.changed Professional"], () =>
    call("PUT", "update-subscription/xer-professional-monthly"),
  );
  await next(["subscription.changed renewed", "invoice.paid", "licence.changed Professional"], () =>
    advanceTime(app, 31),
  );
  token = await signInAs(app, user);
  await call("PATCH", "cancel-subscription");
  await next(["subscription.changed ended", "licence.expired Professional"], () => advanceTime(app, 32));
});

test("subscription.changed tells the renewal with which a planned change of plan takes effect", async () => {
  const { user, token } = await createSubscriber(app);
  await app.rest("PUT", "/v1/subscriptions/update-subscription/xer-standard-monthly", { token });
  await advanceTime(app, 32);
  const changes = (await getEvents(user.id))
    .flatMap(({ data }) => data.changes ?? [])
    .toSorted((a, b) => a.localeCompare(b));
  expect(changes).toEqual(["begun", "plan-change-planned", "plan-changed", "renewed"]);
});

test("subscription.changed calls an overdue payment that a pause cancels not recovered", async () => {
  const { run, createPastDue } = openSubscriptionActions(app);
  const { user, subscription } = await createPastDue();
  const pauseUntil = addDays(getCalendarDay(app.clock.now()), 20);
  await run(subscription.id, "PAUSE", await asAdmin(), { pauseUntil });
  const changes = (await getEvents(user.id))
    .flatMap(({ data }) => data.changes ?? [])
    .toSorted((a, b) => a.localeCompare(b));
  expect(changes).toEqual(["begun", "paused", "payment-failed"]);
});

test("subscription.changed and invoice.paid are sent for a failed payment and its recovery with a new card", async () => {
  const { user } = await createSubscriber(app, cardFields("failsLater"));
  await advanceTime(app, 32);
  expect(await getKinds(user.id)).toEqual(
    expect.arrayContaining(["payment.failed", "subscription.changed payment-failed"]),
  );
  await app.rest("PATCH", "/v1/subscriptions/update-payment-details", {
    token: await signInAs(app, user),
    body: cardFields("good"),
  });
  const kinds = await getKinds(user.id);
  expect(kinds).toContain("subscription.changed renewed payment-recovered");
  expect(kinds.filter((kind) => kind === "invoice.paid")).toHaveLength(2);
});

test("subscription.changed and invoice.paid are sent when a refund ends the licence and subscription", async () => {
  const { user } = await createSubscriber(app);
  const [invoice] = await listProviderInvoices(app, user.id);
  await app.services.payments.refundInvoice(invoice?.id ?? "", "refund-in-the-dashboard");
  await advanceTime(app, 0.001);
  expect(await getKinds(user.id)).toEqual([
    "invoice.paid",
    "invoice.refunded",
    "licence.issued Professional",
    "licence.revoked payment-returned Professional",
    "subscription.changed begun",
    "subscription.changed ended",
  ]);
});

test("subscription.changed and invoice.paid are sent once with the licence as it is now if an upgrade also changes its end", async () => {
  const { user, token } = await createSubscriber(app, { productId: "xer-plus-monthly" });
  const path = "/v1/subscriptions/update-subscription/xer-professional-yearly";
  expect((await app.rest("PUT", path, { token })).status).toBe(200);
  const changed = (await getKinds(user.id)).filter((kind) => kind.startsWith("licence.changed"));
  expect(changed).toEqual(["licence.changed Professional"]);
});

test("subscription.changed and invoice.paid are sent for a re-issued invoice, so that the amounts still add up to the payment", async () => {
  const { user } = await createSubscriber(app);
  const { rows } = await app.services.pool.query("select id from tax_invoices where user_id = $1", [user.id]);
  const address = {
    streetNumber: "3",
    streetName: "Albert Street",
    city: "Brisbane",
    state: "QLD",
    postCode: "4000",
  };
  const buyer = { companyName: "Rail Works Holdings", abn: "51824753556", ...address, country: "Australia" };
  const given = { taxInvoiceId: rows[0].id, buyer, reason: "Bought by the parent company" };
  const { number } = await app.call("reissueInvoice { number }", given, await asAdmin());
  const paid = (await getEvents(user.id)).filter(({ type }) => type === "invoice.paid");
  expect(paid.map(({ data }) => data.invoice.paidAt)).toEqual(Array(2).fill(paid[0]?.data.invoice.paidAt));
  expect(paid.at(-1)?.data.invoice.number).toBe(number);
  const [refunded] = (await getEvents(user.id)).filter(({ type }) => type === "invoice.refunded");
  const notes = [...paid.map(({ data }) => data.invoice), refunded?.data.adjustmentNote];
  expect(notes.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(paid[0]?.data.invoice.totalCents);
});

test("subscription.changed and invoice.paid are sent for a disputed payment", async () => {
  const { user } = await createSubscriber(app, cardFields("disputed"));
  await advanceTime(app, 1);
  expect(await getKinds(user.id)).toContain("subscription.changed payment-disputed");
});

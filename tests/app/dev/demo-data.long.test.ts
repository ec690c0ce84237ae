import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { PaymentAttempt } from "#api/billing/subscriptions/payment-attempt.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { SoftwareBuild, SoftwareChannel } from "#api/releases/software/software-build.entity.ts";
import { Plan } from "#api/billing/plans/plan.entity.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { fetchEvents } from "#api/billing/subscriptions/reconcile-payments.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { fillDemoData } from "#api/dev/demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { emptyDatabase } from "#api/dev/reset-demo.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { signIn } = createAccountCalls(app);
const filled = await Promise.all([fillDemoData(app.services), fillDemoData(app.services)]);
const { simulator } = app.devPayments;
const fetchedMeanwhile: number[] = [];
const catchUp = async () => {
  await simulator.catchUp();
  fetchedMeanwhile.push(await fetchEvents(app.context(), app.clock.now()));
};
await linkDemoSubscriptions(app.services, { ...app.devPayments, simulator: { ...simulator, catchUp } });

const em = () => app.context().em;
const findDemoUser = (name: string) => em().findOneOrFail(User, { signInEmail: `${name}@demo.test` });

test("fills an empty database only once if two processes start at the same time", () => {
  expect(filled.filter(Boolean)).toHaveLength(1);
});

test("leaves the events of the past to linking while the sweeps already run", () => {
  expect(new Set(fetchedMeanwhile)).toEqual(new Set([0]));
});

const roles = { admin: "admin", ada: "regular", new: "regular", trial: "regular", corporate: "corporate" };
test.each(Object.entries(roles))("lets %s@demo.test sign in with the demo password as %s", async (name, role) => {
  const { status, json } = await signIn(`${name}@demo.test`, "Demo-pass-1");
  expect(status).toBe(200);
  expect(JSON.parse(Buffer.from(json.access_token.split(".")[1], "base64url").toString()).rol).toBe(role);
});

test("requires unconfirmed@demo.test to confirm the address and has sent the email with the link", async () => {
  const { status, json } = await signIn("unconfirmed@demo.test", "Demo-pass-1");
  expect(status).toBe(400);
  expect(Object.keys(json)).toEqual(["not_confirmed"]);
  const response = await app.rest("GET", "/dev/mail.json?to=unconfirmed@demo.test");
  expect(response.json[0].text).toMatch(/confirm-email\?t=[\w-]+\n/);
});

test("has promo codes for 10%, A$50 and a one-time 25%, and an expired one", async () => {
  const codes = await em().find(PromoCode, {}, { orderBy: { code: "asc" } });
  expect(codes.map((one) => [one.code, one.basisPoints, one.amountCents, one.isOneTimeUseOnly])).toEqual([
    ["EXPIRED", 2_000, null, false],
    ["FIFTY", null, 5_000, false],
    ["ONCE", 2_500, null, true],
    ["WELCOME10", 1_000, null, false],
  ]);
  expect((codes[0]?.expiresAt ?? 0) < app.clock.now()).toBe(true);
  expect(await em().count(Plan, { sellable: true })).toBe(3);
});

test("gives trial@demo.test a trial licence with one device, and new@demo.test no licence", async () => {
  const trial = await em().findOneOrFail(Licence, { user: (await findDemoUser("trial")).id });
  expect([trial.productLevel, trial.expiresAt > app.clock.now()]).toEqual([3, true]);
  expect(await em().count(Device, { licence: trial.id })).toBe(1);
  expect(await em().count(Licence, { user: (await findDemoUser("new")).id })).toBe(0);
});

test("gives corporate@demo.test a concurrent licence for 5 users and 10 machines, with devices and contacts", async () => {
  const corporate = await findDemoUser("corporate");
  const licence = await em().findOneOrFail(Licence, { user: corporate.id });
  expect(licence).toMatchObject({ licenceActivationType: 2, numberOfUsers: 5, numberOfMachines: 10 });
  expect(await em().count(Device, { licence: licence.id })).toBeGreaterThan(2);
  expect(await em().count(Contact, { user: corporate.id })).toBeGreaterThan(2);
});

test("stays within the device and deactivation limits and has no dates in the future or the wrong order", async () => {
  for (const wrong of [
    `licences l join devices d on d.licence_id = l.id and d.freed_at is null
      group by l.id, l.number_of_machines having count(*) > l.number_of_machines`,
    "devices where last_seen_at > now() or last_seen_at < activated_at or freed_at < activated_at",
    "licence_events where at > now()",
    `licences l join users u on u.id = l.user_id
      where l.created_at < u.registered_at or l.created_at > now() or l.expires_at < l.created_at`,
    `deactivations where by = 'customer' and at > now() - interval '1 year' group by user_id having count(*) > 3`,
  ])
    expect((await app.services.pool.query(`select 1 from ${wrong}`)).rows, wrong).toEqual([]);
});

test("has a failed renewal with the bank's reason, a partial refund and seats in use", async () => {
  const unpaid = await em().find(Subscription, { status: "past_due" });
  expect(unpaid).toHaveLength(1);
  const failed = await em().find(PaymentAttempt, { subscription: unpaid[0]?.id, reason: { $ne: null } });
  expect(failed.length).toBeGreaterThan(0);
  expect(await em().find(TaxInvoice, { kind: "adjustment", totalCents: -5_000 })).toHaveLength(1);
  const corporate = await findDemoUser("corporate");
  expect(await em().count(Lease, { licence: { user: corporate.id }, expiresAt: { $gt: app.clock.now() } })).toBe(3);
});

test("sends no email on the first sweep", async () => {
  const before = await app.rest("GET", "/dev/mail.json");
  await app.services.jobs.runSweeps();
  expect((await app.rest("GET", "/dev/mail.json")).json).toHaveLength(before.json.length);
});

test("publishes downloadable builds in Production and Beta and has a draft in Alpha", async () => {
  expect(await em().count(SoftwareBuild, { publishedAt: { $ne: null } })).toBe(2);
  const waiting = await em().find(SoftwareBuild, { publishedAt: null });
  expect(waiting.map(({ stage, version }) => [stage, version])).toEqual([[2, "7.4.0"]]);
  const channels = await em().find(SoftwareChannel, {}, { populate: ["build"], orderBy: { stage: "desc" } });
  expect(channels.map(({ stage, build }) => [stage, build?.version, build?.fileName])).toEqual([
    [4, "7.2.0", "Planvarro-Setup-7.2.0.exe"],
    [3, "7.3.0", "Planvarro-Setup-7.3.0.exe"],
  ]);
  for (const [stage, older] of [
    [4, "7.1.0"],
    [3, "7.2.0"],
  ]) {
    const { json } = await app.rest("GET", `/v1/software/update?stage=${stage}&version=${older}`);
    const file = await fetch(app.url + new URL(json.url).pathname);
    const program = Buffer.from(await file.arrayBuffer());
    expect(createHash("sha256").update(program).digest("hex")).toBe(json.sha256);
    expect(program.toString("latin1", 0, 2)).toBe("MZ");
    expect(program.toString("latin1", program.readUInt32LE(0x3c), program.readUInt32LE(0x3c) + 4)).toBe("PE\0\0");
  }
  expect((await app.rest("GET", "/v1/software/update?version=7.2.0")).status).toBe(204);
});

test("has the same users after a reset", async () => {
  const emails = async () => (await em().find(User, {})).map((user) => user.email).toSorted();
  const before = await emails();
  await emptyDatabase(app.database);
  expect(await emails()).toEqual([]);
  expect(await fillDemoData(app.services)).toBe(true);
  expect(await emails()).toEqual(before);
});

import { expect, test } from "vitest";
import { DAY, addMilliseconds } from "#api/platform/clock.ts";
import { callAddin } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createSubscriber, stopRenewals } from "#tests/factories/subscription.ts";
import { createCorporateUser, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

const getNextStep = (token: string, fields = "kind amountCents at invoiceNumber email version") =>
  app.call(`nextStep { ${fields} }`, {}, token);

test("leads a new customer to the trial, then to a subscription with its price and saving", async () => {
  const { user, token } = await createSignedIn(app);
  expect((await getNextStep(token)).kind).toBe("START_TRIAL");
  const licence = await createTrialLicence(app, user);
  await createDevice(app, licence);
  await app.services.pool.query("update users set has_completed_trial = true where id = $1", [user.id]);
  const step = await getNextStep(token, "kind at products { id totalCents }");
  expect(step).toEqual({
    kind: "SUBSCRIBE",
    at: licence.expiresAt.toISOString(),
    products: [
      { id: "xer-professional-monthly", totalCents: 16_495 },
      { id: "xer-professional-yearly", totalCents: 156_640 },
    ],
  });
});

test("asks for an overdue invoice first, with its number and what is left to pay", async () => {
  const user = await createCorporateUser(app);
  await createDevice(app, await createConcurrentLicence(app, user));
  const token = await signInAs(app, user);
  expect(await getNextStep(token)).toBeNull();
  await createOpenInvoice(app, user);
  const step = await getNextStep(token);
  expect(step).toMatchObject({ kind: "PAY_INVOICE", amountCents: 110_000, invoiceNumber: expect.stringMatching(/\d/) });
  await app.services.pool.query("update manual_invoices set due_at = $2, paid_cents = 10000 where user_id = $1", [
    user.id,
    addMilliseconds(app.clock.now(), -DAY),
  ]);
  expect(await getNextStep(token)).toMatchObject({ kind: "PAY_OVERDUE_INVOICE", amountCents: 100_000 });
});

test("suggests a newer add-in when a device in use last ran an older one", async () => {
  await publishTestBuild(app, "7.9.0");
  const { user, token } = await createSignedIn(app);
  const licence = await createLicence(app, user);
  expect(await getNextStep(token)).toMatchObject({ kind: "INSTALL_ADD_IN", version: "7.9.0" });
  await callAddin(app, "activate", licence, { addInVersion: "7.2.0" });
  expect(await getNextStep(token)).toMatchObject({ kind: "UPDATE_ADD_IN", version: "7.9.0" });
  const other = await createUser(app);
  await callAddin(app, "activate", await createLicence(app, other), { addInVersion: "7.9.0" });
  expect(await getNextStep(await signInAs(app, other))).toMatchObject({ kind: "CONVERT_SCHEDULE" });
  await createTrialLicence(app, other, { usageCount: 20, revokedAt: app.clock.now() });
  expect(await getNextStep(await signInAs(app, other))).toBeNull();
});

test("names the plan and the amount of a planned change", async () => {
  const { user, token, subscription } = await createSubscriber(app);
  await stopRenewals(app);
  const sql = "update subscriptions set next_plan_price = 'xer-plus-monthly', next_amount_cents = null where id = $1";
  await app.services.pool.query(sql, [subscription.id]);
  expect(await getNextStep(await signInAs(app, user), "kind amountCents at planPrice { id }")).toEqual({
    kind: "REVIEW_CHANGE",
    amountCents: 12_370,
    at: subscription.currentPeriodEndsAt.toISOString(),
    planPrice: { id: "xer-plus-monthly" },
  });
  const [email, confirmationHandle] = ["ada.new@demo.test", "00000000-0000-4000-8000-000000000001"];
  const change = "update users set pending_email = $2, email_change_handle = $3 where id = $1";
  await app.services.pool.query(change, [user.id, email, confirmationHandle]);
  const step = await getNextStep(token, "kind email confirmationHandle");
  expect(step).toEqual({ kind: "CONFIRM_EMAIL", email, confirmationHandle });
});

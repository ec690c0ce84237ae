import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { reservePromoCode } from "#api/billing/promo-codes/redeem-promo-code.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { confirmAuthorization, openAuthorization } from "#tests/factories/device-authorization.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createContact } from "#tests/factories/contact.ts";
import { blockMachine, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createCorporateUser, createUser, signInAs, testPassword, createSignedIn } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const download = (token: string) => app.rest("GET", "/v1/core/accounts/my-data", { token });
const deactivate = (deviceId: string, token: string) =>
  app.graphql("deactivateDevice { code }", { input: { deviceId, reason: "Device change" } }, token);

test("exports a customer's profile, licences, devices, sessions, deactivations, events and emails in one file", async () => {
  const user = await createUser(app, { firstName: "Grace", streetName: "Queen Street", companyName: "Cobol & Co" });
  const licence = await createLicence(app, user, { purchaseOrderNumber: "PO-7", numberOfMachines: 2 });
  const activatedMachine = buildMachine({ machineName: "BNE-GRACE", osUser: "CO\\grace" });
  const activated = await callAddin(app, "activate", licence, { machine: activatedMachine });
  const device = await createDevice(app, licence, { machineName: "OLD-PC" });
  const { json: tokens } = await app.rest("POST", "/v1/core/auth/token", {
    body: { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" },
    headers: { "user-agent": "Firefox/127.0" },
  });
  await deactivate(device.id, tokens.access_token);

  const { status, headers, json, text } = await download(tokens.access_token);
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toBe('attachment; filename="my-data.json"');
  expect(headers.get("content-type")).toContain("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  const parts =
    "writtenAt profile personalAccessTokens twoStepSignIn sessions licences licenceEvents seats deactivations conversions " +
    "moveCodes deviceAuthorizations webhookEndpoints staffComments contactMessages bulkWork savedReports savedViews " +
    "taxInvoices promoCodes mails";
  expect(Object.keys(json)).toEqual(expect.arrayContaining(parts.split(" ")));
  const { id, email, mobile } = user;
  const place = { companyName: "Cobol & Co", streetName: "Queen Street", country: "Australia" };
  expect(json.profile).toMatchObject({ id, memberType: "Regular", firstName: "Grace", email, mobile, ...place });
  expect(json.licences).toMatchObject([
    {
      licenceCode: licence.licenceCode,
      productLevel: "Professional",
      status: "ACTIVE",
      purchaseOrderNumber: "PO-7",
      devices: expect.arrayContaining([
        expect.objectContaining({ machineName: "BNE-GRACE", osUser: "CO\\grace", deactivatedAt: null }),
        expect.objectContaining({ machineName: "OLD-PC", deactivatedAt: expect.stringMatching(/Z$/) }),
      ]),
    },
  ]);
  expect(json.sessions).toMatchObject([{ browser: "Firefox", ip: "127.0.0.1", endedAt: null }]);
  expect(json.deactivations).toMatchObject([{ by: "customer", reason: "Device change", machineName: "OLD-PC" }]);
  // Staff make changes in the portal, too, so their address isn't exported.
  expect(json.licenceEvents.map(({ kind, ip }: Record<string, unknown>) => [kind, ip])).toEqual([
    ["portal-deactivate", null],
    ["activate", "127.0.0.1"],
  ]);
  expect(json.mails.map(({ subject }: { subject: string }) => subject)).toEqual([
    "A device was deactivated on your Planvarro licence",
  ]);

  const { machineToken } = activated.json.data;
  const { refresh_token, access_token } = tokens;
  const secrets = [machineToken, refresh_token, access_token].flatMap((secret) => [secret, hashSecret(secret)]);
  for (const secret of [...secrets, user.passwordHash, user.confirmationHandle, activatedMachine.fingerprint])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/argon2|passwordHash|tokenHash|components|fingerprint/i);
});

test("includes tax invoices and used promo codes", async () => {
  const user = await createUser(app, { abn: "53 004 085 616" });
  const invoice = await createTaxInvoice(app, user);
  const { code } = await createPromoCode(app);
  const checkout = { planPriceId: "xer-professional-monthly", userId: user.id, checkoutId: randomUUID() };
  await reservePromoCode(app.context(), app.context().em, { code, ...checkout });
  const { json } = await download(await signInAs(app, user));
  expect(json.profile.abn).toBe("53 004 085 616");
  const paid = { totalCents: 16_495, cardLast4: "4242", purchaseOrder: null };
  expect(json.taxInvoices).toMatchObject([{ number: invoice.number, ...paid, buyer: { abn: "53 004 085 616" } }]);
  expect(json.promoCodes).toMatchObject([{ code, state: "held" }]);
});

test("includes the subscription with its card and payments, contacts, and blocked machines", async () => {
  const { user, token } = await createSubscriber(app);
  await createContact(app, user, { email: "clerk@example.com", contactType: 2 });
  await blockMachine(app, user, "BAD-MACHINE");
  const { json } = await download(token);
  expect(json).toMatchObject({
    profile: { isSubscribedToNewsLetter: false, pendingEmail: null },
    subscriptions: [{ planPrice: "xer-professional-monthly", status: "active", cardLast4: "4242" }],
    cardPayments: [{ amountCents: 16_495, cardLast4: "4242" }],
    contacts: [{ email: "clerk@example.com", contactType: "Accounts" }],
    blockedMachines: [{ machineName: "BAD-MACHINE" }],
    quotes: [],
    refunds: [],
    cardPaymentsOfInvoices: [],
  });
});

test("includes device authorizations and emailed move codes without the codes themselves", async () => {
  const { user, token } = await createSignedIn(app);
  const licence = await createLicence(app, user);
  const open = await openAuthorization(app, buildMachine({ machineName: "BNE-ASKS", osUser: "CO\\grace" }));
  await confirmAuthorization(app, { userCode: open.userCode, licenceId: licence.id }, token);
  await openAuthorization(app, buildMachine({ machineName: "NOT-MINE" }));
  await callAddin(app, "move/code", licence);
  const { json, text } = await download(token);
  expect(json.deviceAuthorizations).toMatchObject([
    { machineName: "BNE-ASKS", osUser: "CO\\grace", ip: "127.0.0.1", decision: "confirmed", resultCode: null },
  ]);
  expect(json.moveCodes).toMatchObject([{ licenceId: licence.id, sentAt: expect.stringMatching(/Z$/) }]);
  for (const secret of ["NOT-MINE", open.deviceCode, hashSecret(open.deviceCode)]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/codeHash/i);
});

test("contains no data about other users, even for a corporate customer", async () => {
  const other = await createUser(app);
  const licence = await createLicence(app, other);
  const { status, text, json } = await download(await signInAs(app, await createCorporateUser(app)));
  expect(status).toBe(200);
  expect(json.licences).toEqual([]);
  for (const foreign of [other.email, other.id, licence.licenceCode]) expect(text).not.toContain(foreign);
});

test("includes contact messages from the signed-in customer but not from visitors with the same address", async () => {
  const { user, token } = await createSignedIn(app, { email: "writer@example.com" });
  const sent = { name: "Ada Byron", email: "other@example.com", phone: "0400 000 000", message: "Are you open?" };
  const send = (body: object, authToken?: string) =>
    app.rest("POST", "/v1/contact-us/send", { body, ...(authToken ? { token: authToken } : {}) });
  expect((await send(sent, token)).status).toBe(200);
  expect((await send({ ...sent, email: user.email, message: "Somebody else" })).status).toBe(200);
  expect((await send({ ...sent, message: "Another" }, await signInAs(app, await createUser(app)))).status).toBe(200);
  expect((await download(token)).json.contactMessages).toEqual([
    { ...sent, receivedAt: expect.stringMatching(/Z$/), mailbox: expect.stringContaining("@") },
  ]);
});

test("excludes emails to an address that only matches the user's address as a pattern", async () => {
  await createUser(app, { email: "pat_ern@example.com" });
  const other = await createUser(app, { email: "patXern@example.com" });
  const licence = await createLicence(app, other);
  const device = await createDevice(app, licence);
  await deactivate(device.id, await signInAs(app, other));
  const pattern = await createUser(app, { email: "pat%ern@example.com" });
  expect((await download(await signInAs(app, pattern))).json.mails).toEqual([]);
});

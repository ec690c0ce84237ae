import { test } from "vitest";
import { Deactivation } from "#api/licensing/devices/device.entity.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv, requestCells, requestFields } from "./report-owner.ts";
import {
  blockMachine,
  createConcurrentLicence,
  createDevice,
  createLicence,
  createSubscription,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { issueAdjustmentNote } from "#api/billing/invoices/issue-adjustment-note.ts";
import { PromoRedemption } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Checkout } from "#api/billing/subscriptions/checkout.entity.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";

const app = await startTestApp();
const { em, owner, licence, ownerCells, licenceCells, recordEvent, expectRows } = await createReportOwner(app);

test("1 Users", async () => {
  await expectRows(1, [
    {
      ...readCells(`Date joined (Brisbane time): ${inCsv} | First Name: Zoë | Last Name: =cmd|'/c calc'!A1`),
      Company: 'Łódź & <Söhne> "建築"',
      ...readCells(`
      Position: @Planner | Email: zoe@example.com | Email confirmed: Yes | Phone: +61 400 123 456
      User type: Corporate | Account: Active | Archived (Brisbane time): | Tester: Yes | Service provider: No
      ABN: 51 824 753 556 | Unit number: | Street number: 12 | Street name: Eagle Street | City: Brisbane | State: QLD
      Post Code: 4000 | Country: Australia`),
      Referrer: { csv: "_x0041_ fair", xlsx: "_x005F_x0041_ fair" },
      ...readCells(`
      Issued W-8 form: No | Completed security information: No | Completed software QA: No
      Subscribed to newsletter: No | Completed trial: No | Two-step sign-in: No | Subscription: | Subscription status:
      Running licences: #1 | Annual deactivation limit: #3 | Deactivations counted: #0 | User ID: ${owner.id}`),
    },
  ]);
});

test("2 User's Contacts", async () => {
  await createContact(app, owner, { firstName: "Máire", lastName: "+Ní", phone: "07 3000 0000", addedAt: at });
  await expectRows(2, [
    {
      ...readCells(`
      Date added (Brisbane time): ${inCsv} | Contact first name: Máire | Contact last name: +Ní
      Contact email: mary@example.com | Contact phone: 07 3000 0000 | Contact type: Principal Contact`),
      ...ownerCells,
    },
  ]);
});

test("3 User's Comments", async () => {
  const text = '=1+1\nSaid: "\\N", then \\. and a\ttab; Ω 😀';
  em.create(Comment, { user: owner.id, text, commentedById: owner.id, commentedBy: "Root", at } as never);
  await em.flush();
  await expectRows(3, [
    { ...readCells(`Comment date (Brisbane time): ${inCsv}`), Comment: text, "Commented by": "Root", ...ownerCells },
  ]);
});

test("4 Licences", async () => {
  await createDevice(app, licence, { activatedAt: at, lastSeenAt: at });
  await createSubscription(app, licence, { planPrice: "xer-professional-yearly", currentPeriodEndsAt: at });
  const concurrent = await createConcurrentLicence(app, owner, {
    createdAt: new Date("2020-03-02T00:00:00Z"),
    expiresAt: new Date("2020-04-02T00:00:00Z"),
    limitFloatingLeasePeriodToHours: 8,
    allowOnVms: true,
    licenceCategory: 4,
  });
  const trial = await createTrialLicence(app, owner, {
    createdAt: new Date("2020-03-01T00:00:00Z"),
    expiresAt: new Date("2020-03-15T00:00:00Z"),
    revokedAt: at,
    usageCount: 7,
  });
  const none = readCells(
    `Last used (Brisbane time): | PO number: | Project term: | Subscription: | Subscription status:`,
  );
  const ends = readCells(
    `Subscription period ends (Brisbane time): | Suspended (Brisbane time): | Deactivated (Brisbane time):`,
  );
  await expectRows(4, [
    {
      ...readCells(`Date created (Brisbane time): ${inCsv}`),
      ...licenceCells,
      ...readCells(`
      Licence category: None | Activation type: Standard | Status: Active | Expiry Date (UTC): 2100-01-02T03:04:05Z
      Number of users: #1 | Number of machines: #1 | Machines activated: #1 | Last used (Brisbane time): ${inCsv}
      Lease hours: | Heartbeat minutes: | Allow on VMs: No | PO number: -17 | Project term: Stage\t2 | Conversions: #0
      Conversion limit: | Subscription: Professional, yearly | Subscription status: Payment overdue`),
      ...ends,
      ...readCells(`Subscription period ends (Brisbane time): ${inCsv}`),
      ...ownerCells,
    },
    {
      ...readCells(`
      Date created (Brisbane time): 2020-03-02T10:00:00+10:00 | Licence code: ${concurrent.licenceCode}
      Support code: ${concurrent.supportCode} | Product: Professional | Licence type: Concurrent
      Licence category: Extended Evaluation Period | Activation type: Concurrent | Status: Expired
      Expiry Date (UTC): 2020-04-02T00:00:00Z | Number of users: #5 | Number of machines: #10 | Machines activated: #0
      Lease hours: #8 | Heartbeat minutes: #15 | Allow on VMs: Yes | Conversions: #0 | Conversion limit:`),
      ...none,
      ...ends,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date created (Brisbane time): 2020-03-01T10:00:00+10:00 | Licence code: ${trial.licenceCode}
      Support code: ${trial.supportCode} | Product: Trial | Licence type: Single User | Licence category: None
      Activation type: Standard | Status: Deactivated | Expiry Date (UTC): 2020-03-15T00:00:00Z | Number of users: #1
      Number of machines: #1 | Machines activated: #0 | Lease hours: | Heartbeat minutes: | Allow on VMs: No
      Conversions: #7 | Conversion limit: #20`),
      ...none,
      ...ends,
      ...readCells(`Deactivated (Brisbane time): ${inCsv}`),
      ...ownerCells,
    },
  ]);
});

test("5 Tax Invoices, with amounts, promo codes and adjustment notes", async () => {
  const code = await createPromoCode(app, { code: "AUTUMN" });
  const cents = { gstBasisPoints: 1_000, discountCents: 1_000, totalCents: 15_395 };
  const paid = {
    user: owner.id,
    planPrice: "xer-professional-monthly",
    promoCode: "autumn ",
    state: "paid",
    createdAt: at,
  };
  const { id: checkoutId } = em.create(Checkout, { ...paid, ...cents } as never);
  const redeemed = { promoCode: code.id, user: owner.id, checkoutId, state: "redeemed", createdAt: at };
  em.create(PromoRedemption, redeemed as never);
  await em.flush();
  const sold = {
    issuedAt: at,
    paidAt: at,
    periodStart: at,
    periodEnd: at,
    lines: [{ description: "Professional", amountCents: 14_995 }],
    discountCents: 1_000,
    gstCents: 1_400,
    totalCents: 15_395,
  };
  const invoice = await createTaxInvoice(app, owner, sold);
  // An invoice by hand with as much goodwill as the promo code's discount.
  const byHand = { ...sold, issuedAt: new Date("2020-03-19T00:00:00Z"), planPrice: null };
  const { number: numberByHand } = await createTaxInvoice(app, owner, byHand);
  const context = app.context();
  const later = new Date("2020-03-20T00:00:00Z");
  const refund = { invoiceId: invoice.id, refundedAt: later, issuedAt: later, refundedCents: 5_000 };
  const note = await issueAdjustmentNote(context, context.em, refund);
  // A note that returned no money, outside the range of the report.
  const cancellation = { ...refund, refundedAt: null, issuedAt: new Date("2019-01-01T00:00:00Z"), refundedCents: 100 };
  await issueAdjustmentNote(context, context.em, cancellation);
  const common = {
    ...readCells(`
      Plan: Professional, monthly | Period start (Brisbane time): ${inCsv} | Period end (Brisbane time): ${inCsv}
      GST rate (%): #10 | Card ending: 4242 | Buyer: ${ownerCells.Company} | Buyer ABN: 51 824 753 556
      Buyer address: 12 Eagle Street, Brisbane QLD 4000, Australia`),
    ...ownerCells,
  };
  const soldCells = readCells(`
      Document: Tax invoice | Adjusts invoice: | Description: Professional, monthly subscription | Amount (AUD): $149.95
      Discount (AUD): $10.00 | GST (AUD): $14.00 | Total (AUD): $153.95 | Date paid (Brisbane time): ${inCsv}`);
  await expectRows(5, [
    {
      ...readCells(`
      Date issued (Brisbane time): 2020-03-20T10:00:00+10:00 | Number: ${note.number} | Document: Adjustment note
      Adjusts invoice: ${invoice.number}`),
      Description: `Refund of tax invoice ${invoice.number}`,
      ...readCells(`
      Amount (AUD): $-45.45 | Discount (AUD): $0.00 | GST (AUD): $-4.55 | Total (AUD): $-50.00 | Refunded (AUD):
      Date paid (Brisbane time): 2020-03-20T10:00:00+10:00 | Promo Code:`),
      ...common,
    },
    {
      ...common,
      ...soldCells,
      ...readCells(`
      Date issued (Brisbane time): 2020-03-19T10:00:00+10:00 | Number: ${numberByHand} | Refunded (AUD):
      Plan: | Promo Code:`),
    },
    {
      ...common,
      ...soldCells,
      ...readCells(`
      Date issued (Brisbane time): ${inCsv} | Number: ${invoice.number} | Refunded (AUD): $50.00 | Promo Code: AUTUMN`),
    },
  ]);
});

test("6 Licence Validations / Activations, including refusals and unknown codes, without seat requests", async () => {
  await recordEvent({ ...requestFields, machineName: "-PC", count: 3, lastAt: new Date("2020-03-10T13:00:00Z") });
  const [march9, march8] = [new Date("2020-03-09T00:00:00Z"), new Date("2020-03-08T00:00:00Z")];
  const activation = { ...requestFields, kind: "activate" } as const;
  await recordEvent({ ...activation, resultCode: 22, machineName: "PC-2", at: march9 });
  await recordEvent({ ...activation, resultCode: 10, machineName: "PC-3", licenceId: null, at: march8 });
  await recordEvent({ ...requestFields, kind: "heartbeat", machineName: "PC-4" });
  const emptyCells = Object.fromEntries(Object.keys({ ...licenceCells, ...ownerCells }).map((title) => [title, ""]));
  await expectRows(6, [
    {
      ...readCells(`
      Date (Brisbane time): ${inCsv} | Last date (Brisbane time): 2020-03-10T23:00:00+10:00 | Count: #3
      Event: Licence check | Result code: #1 | Result: VALID | Answer: The licence is valid on this device.
      Machine name: -PC`),
      ...requestCells,
      ...licenceCells,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date (Brisbane time): 2020-03-09T10:00:00+10:00 | Last date (Brisbane time): ${inCsv} | Count: #1
      Event: Device activation | Result code: #22 | Result: MACHINE_LIMIT_EXCEEDED
      Answer: The licence is already in use on as many devices as it allows. Please free one first.
      Machine name: PC-2`),
      ...requestCells,
      ...licenceCells,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date (Brisbane time): 2020-03-08T10:00:00+10:00 | Last date (Brisbane time): ${inCsv} | Count: #1
      Event: Device activation | Result code: #10 | Result: LICENCE_NOT_FOUND
      Answer: We do not know this licence code. Please check it against your account page. | Machine name: PC-3`),
      ...requestCells,
      ...emptyCells,
    },
  ]);
});

test("7 Licence Deactivations", async () => {
  const device = await createDevice(app, licence, {
    machineName: "＝HYPERLINK(1)",
    osUser: String.raw`CORP\new\table`,
    activatedAt: at,
    lastSeenAt: at,
  });
  em.create(Deactivation, { user: owner.id, device: device.id, at, by: "customer", reason: "@Device change" } as never);
  await em.flush();
  await expectRows(7, [
    {
      ...readCells(`Date (Brisbane time): ${inCsv}`),
      "Machine name": { csv: "'＝HYPERLINK(1)", xlsx: "＝HYPERLINK(1)" },
      "Windows user": String.raw`CORP\new\table`,
      ...readCells(`
      Deactivated by: Customer | By customer: Yes | Reason: @Device change | Activated (Brisbane time): ${inCsv}
      Last Seen (Brisbane time): ${inCsv}`),
      ...licenceCells,
      ...ownerCells,
      ...readCells(`Annual deactivation limit: #3`),
    },
  ]);
});

test("8 Blocked Machines", async () => {
  await blockMachine(app, owner, "PC-9|corp.example");
  await app.services.pool.query("update blocked_machines set blocked_at = $1", [at]);
  // Deactivated licences are left out.
  await app.services.pool.query("update licences set revoked_at = $1 where id <> $2", [at, licence.id]);
  const second = await createLicence(app, owner);
  await expectRows(8, [
    {
      ...readCells(`Date blocked (Brisbane time): ${inCsv} | Machine name: PC-9|corp.example`),
      "Support codes of licences": `${second.supportCode}, ${licence.supportCode}`,
      ...ownerCells,
    },
  ]);
});

test("9 Blocked Machines Attempted Activations", async () => {
  await recordEvent({ ...requestFields, kind: "activate", resultCode: 20, machineName: "PC-9|corp.example" });
  const at = new Date("2020-03-09T00:00:00Z");
  await recordEvent({ ...requestFields, kind: "heartbeat", resultCode: 20, machineName: "@PC-9", at });
  const row = (date: string, machine: string, event: string) => ({
    "Date (Brisbane time)": date,
    "Machine name": machine,
    Event: event,
    ...requestCells,
    ...licenceCells,
    ...ownerCells,
  });
  await expectRows(9, [
    row(inCsv, "PC-9|corp.example", "Device activation"),
    row("2020-03-09T10:00:00+10:00", "@PC-9", "Seat heartbeat"),
  ]);
});

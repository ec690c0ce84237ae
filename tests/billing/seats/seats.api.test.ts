import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addDays, getCalendarDay, toDayNumber } from "#schema/days.ts";
import { formatDay } from "#schema/dates.ts";
import { calculateSeatCents, countSeatDays } from "#schema/seats.ts";
import { ServicePeriod } from "#api/billing/revenue/service-period.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createInvoiceRequests } from "#tests/billing/invoices/request-invoices.ts";
import {
  createConcurrentLicence,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
} from "#tests/factories/licence.ts";
import { listLicenceEvents } from "#tests/factories/subscription.ts";
import { createAdmin, createCorporateUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
const today = getCalendarDay(app.clock.now());
const lastDay = addDays(today, 99);
const expiresAt = new Date(`${lastDay}T23:59:59.999Z`);

const send = (call: string, input: object) => app.call(call, { input: { term: "ONE_YEAR", ...input } }, finance);
const setPrice = (audCents: number) => send("setSeatPrice { audCents }", { productLevel: "CORPORATE", audCents });
const preview = (input: object) => send("seatsPreview", input);
const addCall = `addSeats { id number status totalCents purchaseOrder licenceId
  lines { description quantity unitCents firstDay lastDay } }`;
const add = (input: object) => send(addCall, { key: randomUUID(), ...input });
async function createSeats() {
  const user = await createCorporateUser(app);
  const values = { productLevel: 14, expiresAt, numberOfMachines: 6 };
  return { user, licence: await createConcurrentLicence(app, user, values) };
}
const findLicence = (id: string) => app.context().em.fork().findOneOrFail(Licence, id);

test("shows days and amounts, then adds the seats and issues their invoice, and keeps the end of the licence", async () => {
  expect([await setPrice(35_000), await setPrice(36_500)]).toEqual([{ audCents: 35_000 }, { audCents: 36_500 }]);
  const { user, licence } = await createSeats();
  const wanted = { licenceId: licence.id, seats: 5 };
  const termDays = toDayNumber(lastDay) - toDayNumber(`${Number(lastDay.slice(0, 4)) - 1}${lastDay.slice(4)}`);
  const seatCents = Math.round((36_500 * 100) / termDays);
  const gstCents = Math.round(seatCents / 2);
  const shown = await preview(wanted);
  expect(shown).toMatchObject({
    fromSeats: 5,
    toSeats: 10,
    days: 100,
    termDays,
    lastDay,
    listCents: 36_500,
    termCents: 36_500,
    creditCents: 0,
    seatCents,
    gstCents,
    totalCents: 5 * seatCents + gstCents,
  });

  const input = { ...wanted, expectedTotalCents: shown.totalCents, purchaseOrder: "PO-9", key: randomUUID() };
  const invoice = await add(input);
  const description = `Corporate, 5 → 10 seats until ${formatDay(lastDay)} (100 of ${termDays} days)`;
  expect(invoice).toMatchObject({
    status: "OPEN",
    totalCents: shown.totalCents,
    purchaseOrder: "PO-9",
    licenceId: licence.id,
    lines: [{ description, quantity: 5, unitCents: seatCents, firstDay: today, lastDay }],
  });
  expect(await findLicence(licence.id)).toMatchObject({ numberOfUsers: 10, numberOfMachines: 10, expiresAt });
  const [email] = await listEmailsTo(app, user.email);
  expect(email?.text).toContain("5 → 10 seats");
  const [entry] = (await listAuditEntries(app, licence.id)).filter(({ action }) => action === "add-seats");
  expect(entry).toMatchObject({
    before: { numberOfUsers: 5 },
    after: { numberOfUsers: 10, seats: "5 → 10 seats", invoice: invoice.number },
  });
  const [period] = await app.context().em.fork().find(ServicePeriod, { licence: licence.id });
  expect(period).toMatchObject({ firstDay: today, lastDay, days: 100, toCents: 5 * seatCents });

  for (const licenceId of [licence.id, licence.id.toUpperCase()])
    expect((await add({ ...input, licenceId })).id).toBe(invoice.id);
  expect((await findLicence(licence.id)).numberOfUsers).toBe(10);
  expect(await listLicenceEvents(app, licence.id)).toEqual(["change"]);
});

test("shows the amounts of the invoice that credit leaves", async () => {
  const { user, licence } = await createSeats();
  const { addCredit } = createInvoiceRequests(app, finance);
  await addCredit(user, 1_100, randomUUID(), false);
  await addCredit(user, 500);
  const wanted = { licenceId: licence.id, seats: 1, termCents: 36_500 };
  const shown = await preview(wanted);
  const [discountCents, totalCents] = [1_000, shown.seatCents + Math.round(shown.seatCents / 10) - 1_100];
  expect(shown).toMatchObject({ discountCents, gstCents: totalCents - (shown.seatCents - 1_000), totalCents });
  expect(shown.creditCents).toBe(500);
  expect(await add({ ...wanted, expectedTotalCents: totalCents })).toMatchObject({ totalCents });
  await addCredit(user, 100_000, randomUUID(), false);
  expect(await preview(wanted)).toMatchObject({ gstCents: 0, totalCents: 0, creditCents: 0 });
  expect(await add({ ...wanted, expectedTotalCents: 0 })).toMatchObject({ status: "PAID", totalCents: 0 });
});

test("keeps added seats when an earlier invoice renews the licence, which gets its purchase order number", async () => {
  const { user, licence } = await createSeats();
  const { open, pay } = createInvoiceRequests(app, finance);
  const renew = (numberOfUsers: number) =>
    open(user, {
      purchaseOrder: `PO-${numberOfUsers}`,
      licence: {
        licenceId: licence.id,
        productLevel: "CORPORATE",
        numberOfUsers,
        numberOfMachines: 6,
        until: "2035-06-30",
      },
    });
  const renewal = await renew(5);
  const wanted = { licenceId: licence.id, seats: 2, termCents: 36_500 };
  await add({ ...wanted, expectedTotalCents: (await preview(wanted)).totalCents });
  await pay(renewal);
  const added = { numberOfUsers: 7, numberOfMachines: 7, purchaseOrderNumber: "PO-5" };
  expect(await findLicence(licence.id)).toMatchObject(added);
  // Staff chose fewer seats than the licence had.
  await pay(await renew(4));
  expect(await findLicence(licence.id)).toMatchObject({ numberOfUsers: 4, purchaseOrderNumber: "PO-4" });
});

test("adds a device for each seat of a licence that runs on its devices", async () => {
  const licence = await createLicence(app, await createCorporateUser(app), {
    productLevel: 17,
    expiresAt,
    numberOfMachines: 2,
  });
  const wanted = { licenceId: licence.id, seats: 3, termCents: 36_500 };
  await add({ ...wanted, expectedTotalCents: (await preview(wanted)).totalCents });
  expect(await findLicence(licence.id)).toMatchObject({ numberOfUsers: 4, numberOfMachines: 5 });
});

test("takes an entered price instead of the list, and refuses another total or number, too many seats and a missing price", async () => {
  const { licence } = await createSeats();
  const wanted = { licenceId: licence.id, seats: 2 };
  await expect(preview({ ...wanted, term: "TWO_YEARS" })).rejects.toMatchObject({
    code: "BAD_USER_INPUT",
    fields: { termCents: ["The price list has no price for Corporate, 2 years. Enter one."] },
  });
  const shown = await preview({ ...wanted, term: "TWO_YEARS", termCents: 73_100 });
  expect(shown).toMatchObject({ listCents: null, termCents: 73_100, toSeats: 7 });
  const changed = { ...wanted, term: "TWO_YEARS", termCents: 73_000, expectedTotalCents: shown.totalCents + 1 };
  await expect(add(changed)).rejects.toMatchObject({ code: "CONFLICT" });
  const total = { expectedTotalCents: shown.totalCents, expectedSeats: 3 };
  await expect(add({ ...wanted, term: "TWO_YEARS", termCents: 73_100, ...total })).rejects.toMatchObject({
    code: "CONFLICT",
    message: "The licence has 5 seats now. Check whether the seats were already added, and try again.",
  });
  await expect(preview({ ...wanted, seats: 999 })).rejects.toMatchObject({
    fields: { seats: ["A licence has at most 1000 seats."] },
  });
  expect((await findLicence(licence.id)).numberOfUsers).toBe(5);
});

test("refuses licences of individuals, expired and deactivated ones", async () => {
  const user = await createCorporateUser(app);
  for (const { id: licenceId } of [
    await createLicence(app, user),
    await createExpiredLicence(app, user, { productLevel: 14 }),
    await createRevokedLicence(app, user, { productLevel: 14 }),
  ])
    await expect(preview({ licenceId, seats: 1, termCents: 100 })).rejects.toMatchObject({ code: "CONFLICT" });
});

test("counts both ends of the days, over leap years and the vendor's midnight", () => {
  const count = (end: string, now: string, term: 1 | 2 | 3 = 1) =>
    countSeatDays(new Date(`${end}T23:59:59.999Z`), term, new Date(now));
  const year = { firstDay: "2026-07-01", days: 365, termDays: 365 };
  expect(count("2027-06-30", "2026-07-01T00:00:00Z")).toMatchObject(year);
  // Brisbane is 10 hours ahead.
  expect(count("2027-06-30", "2026-07-01T14:00:00Z")).toMatchObject({ firstDay: "2026-07-02", days: 364 });
  expect(count("2028-02-29", "2028-02-29T00:00:00Z")).toMatchObject({ days: 1, termDays: 366 });
  expect(count("2028-06-30", "2028-06-30T00:00:00Z", 3)).toMatchObject({ days: 1, termDays: 1_096 });
  expect(count("2028-06-29", "2028-06-30T00:00:00Z")).toBeNull();
  expect(countSeatDays(new Date("2028-06-30T08:00:00Z"), 1, new Date("2028-06-30T09:00:00Z"))).toBeNull();
  expect(calculateSeatCents(36_500, { firstDay: "", lastDay: "", days: 100, termDays: 365 })).toBe(10_000);
});

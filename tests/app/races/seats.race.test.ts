import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { openDatabase } from "#api/app/database.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { addSeats, planSeats } from "#api/billing/seats/add-seats.ts";
import { changeSeats } from "#api/licensing/licences/update-licence.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { createConcurrentLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser } from "#tests/factories/user.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
// A second pool simulates another process.
const otherPool = await openDatabase(app.database);
afterAll(() => otherPool.close(true));
const { id: adminId } = await createAdmin(app);
const actor = { userId: adminId, sessionId: adminId, role: "admin" } as const;
const createContextFor = (n: number) =>
  createContext(n % 2 ? app.services : { ...app.services, orm: otherPool }, { actor });

/** Sends a request again while a slow machine waits longer for the lock than a request may, as a client does. */
async function repeat<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (String(error).includes("lock timeout")) return repeat(send);
    throw error;
  }
}

test("adds the seats of each request once, with one invoice each, for concurrent repeats in two processes", async () => {
  const user = await createCorporateUser(app);
  const expiresAt = new Date(`${addDays(getCalendarDay(app.clock.now()), 99)}T23:59:59.999Z`);
  const { id: licenceId } = await createConcurrentLicence(app, user, { productLevel: 14, expiresAt });
  const wanted = { licenceId, seats: 5, term: 1 as const, termCents: 36_500 };
  const { totalCents } = await planSeats(createContextFor(0), app.context().em.fork(), wanted);
  const keys = Array.from({ length: 2 }, () => randomUUID());
  const send = (n: number): Promise<ManualInvoice> => {
    const values = { ...wanted, expectedTotalCents: totalCents, purchaseOrder: undefined, key: keys[n % 2] ?? "" };
    return repeat(() => addSeats(createContextFor(Math.floor(n / 2)), values));
  };
  const invoices = await Promise.all(Array.from({ length: 6 }, (_, n) => send(n)));
  expect(new Set(invoices.map(({ id }) => id)).size).toBe(2);
  const em = app.context().em.fork();
  expect((await em.findOneOrFail(Licence, licenceId)).numberOfUsers).toBe(15);
  const lines = (await em.find(ManualInvoice, { user: user.id })).flatMap((invoice) => invoice.lines);
  const changes = lines.map(({ description }) => /\d+ → \d+ seats/.exec(description)?.[0]);
  expect(new Set(changes)).toEqual(new Set(["5 → 10 seats", "10 → 15 seats"]));
});

test("adds seats by invoice to those that staff set in another process at the same time, in either order", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const user = await createCorporateUser(app);
    const expiresAt = new Date(`${addDays(getCalendarDay(app.clock.now()), 99)}T23:59:59.999Z`);
    const { id: licenceId } = await createConcurrentLicence(app, user, { productLevel: 14, expiresAt });
    const wanted = { licenceId, seats: 5, term: 1 as const, termCents: 36_500 };
    const { totalCents } = await planSeats(createContextFor(0), app.context().em.fork(), wanted);
    const values = { ...wanted, expectedTotalCents: totalCents, purchaseOrder: undefined, key: randomUUID() };
    const changed = { numberOfUsers: 20, numberOfMachines: 20, allowOnVms: false };
    const [invoice] = await Promise.all([
      repeat(() => addSeats(createContextFor(0), values)),
      repeat(() => changeSeats(createContextFor(1), user.id, licenceId, changed)),
    ]);
    const { numberOfUsers } = await app.context().em.fork().findOneOrFail(Licence, licenceId);
    // The invoice names what it changed: 5 → 10 before staff set 20, or 20 → 25 after.
    const change = /\d+ → \d+ seats/.exec(invoice.lines[0]?.description ?? "")?.[0];
    expect([
      ["5 → 10 seats", 20],
      ["20 → 25 seats", 25],
    ]).toContainEqual([change, numberOfUsers]);
  }
});

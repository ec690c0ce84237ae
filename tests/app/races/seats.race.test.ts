import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { addDays, getCalendarDay } from "#schema/days.ts";
import { openDatabase } from "#api/app/database.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { addSeats, planSeats } from "#api/billing/seats/add-seats.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { createConcurrentLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
// A second pool simulates another process.
const otherPool = await openDatabase(app.database);
afterAll(() => otherPool.close(true));
const { id: adminId } = await createAdmin(app);
const actor = { userId: adminId, sessionId: adminId, role: "admin" } as const;
const createContextFor = (n: number) =>
  createContext(n % 2 ? app.services : { ...app.services, orm: otherPool }, { actor });

test("adds the seats of each request once, with one invoice each, for concurrent repeats in two processes", async () => {
  const user = await createCorporateUser(app);
  const expiresAt = new Date(`${addDays(getCalendarDay(app.clock.now()), 99)}T23:59:59.999Z`);
  const { id: licenceId } = await createConcurrentLicence(app, user, { productLevel: 14, expiresAt });
  const wanted = { licenceId, seats: 5, term: 1 as const, termCents: 36_500 };
  const { totalCents } = await planSeats(createContextFor(0), app.context().em.fork(), wanted);
  const keys = Array.from({ length: 2 }, () => randomUUID());
  const send = async (n: number): Promise<ManualInvoice> => {
    const values = { ...wanted, expectedTotalCents: totalCents, purchaseOrder: undefined, key: keys[n % 2] ?? "" };
    try {
      return await addSeats(createContextFor(Math.floor(n / 2)), values);
    } catch (error) {
      // A slow machine waits longer for the lock than a request may. The client then repeats it.
      if (String(error).includes("lock timeout")) return send(n);
      throw error;
    }
  };
  const invoices = await Promise.all(Array.from({ length: 6 }, (_, n) => send(n)));
  expect(new Set(invoices.map(({ id }) => id)).size).toBe(2);
  const em = app.context().em.fork();
  expect((await em.findOneOrFail(Licence, licenceId)).numberOfUsers).toBe(15);
  const lines = (await em.find(ManualInvoice, { user: user.id })).flatMap((invoice) => invoice.lines);
  const changes = lines.map(({ description }) => /\d+ → \d+ seats/.exec(description)?.[0]);
  expect(new Set(changes)).toEqual(new Set(["5 → 10 seats", "10 → 15 seats"]));
});

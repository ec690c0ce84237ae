import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { takeLease } from "#api/licensing/leases/take-seat.ts";
import { changeSeats, updateLicence } from "#api/licensing/licences/update-licence.ts";
import { measureLeaks } from "#api/licensing/leaks/measure-leaks.ts";
import { reissueLicenceCode } from "#api/licensing/leaks/leak.resolver.ts";
import { deactivateLicence } from "#api/licensing/licences/deactivate-licence.ts";
import { extendTrial } from "#api/licensing/licences/extend-trial.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";
import { validateLicence } from "#api/licensing/licences/validate-licence.ts";
import { DAY, MINUTE, addMilliseconds } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { buildValuesFrom, callAddinFrom } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence, createTrialLicence } from "#tests/factories/licence.ts";
import { createUser, createCorporateUser } from "#tests/factories/user.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { retryUntilDone, retryUntilServed, settle } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const anyProcess = await alternateContexts(app);
const em = () => app.services.orm.em.fork();

const sum = async (sql: string): Promise<number> =>
  (await app.services.pool.query<{ n: string }>(`select ${sql} as n from licence_events`)).rows.map(({ n }) =>
    Number(n),
  )[0] ?? 0;

async function sweepUntilCreated(services: Services, month: string): Promise<void> {
  // The sweep may wait for the other process's lock. A run that doesn't get the lock returns almost immediately.
  const startedAt = performance.now();
  while (performance.now() - startedAt < 15_000) {
    await runSweep(services, maintainEventPartitions);
    const { rows } = await app.services.pool.query(`select to_regclass($1) as made`, [month]);
    if (rows[0].made) return;
  }
  throw new Error(`${month} was never created`);
}

test("neither loses nor rejects licence events while two processes create partitions concurrently", async () => {
  const expiresAt = new Date("2200-01-01");
  const licence = await createLicence(app, await createUser(app), { numberOfMachines: 4, expiresAt });
  const devices = await atOnce(4, () => createDevice(app, licence));
  let written = 0;
  for (let round = 1; round <= ROUNDS.of2; round++) {
    // The partition of this month doesn't exist yet, so its first events go to the default partition.
    app.clock.setOffset(round * 150 * DAY);
    const month = `licence_events_${app.clock.now().toISOString().slice(0, 7).replace("-", "_")}`;
    let sweeping = true;
    const sweeps = atOnce(2, () => sweepUntilCreated(anyProcess(), month)).finally(() => {
      sweeping = false;
    });
    const writers = devices.map(async (device, n) => {
      for (let round = 0; sweeping || round < 10; round++) {
        if (n % 2) {
          const { status, json } = await callAddinFrom(app, device, "validate", licence);
          expect([status, json.data?.resultCode]).toEqual([200, 1]);
        } else {
          const context = anyProcess();
          const { em } = context;
          const clock = { now: () => addMilliseconds(app.clock.now(), round * 61 * MINUTE) };
          const event = { kind: "usage", resultCode: 1, licenceId: licence.id, deviceId: device.id } as const;
          await recordRepeatedEvent({ ...context, em, clock }, em, event);
        }
        written++;
      }
    });
    await Promise.all([sweeps, ...writers]);
  }
  app.clock.setOffset(0);
  expect(await sum("sum(count)")).toBe(written);
  await runSweep(app.services, maintainEventPartitions);
  expect(await sum("sum(count)")).toBe(written);
  expect((await app.services.pool.query("select 1 from licence_events_default")).rows).toEqual([]);
});

test("changing seats never gives more seats than a licence allows while its number is reduced", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 4, numberOfMachines: 10 });
    const device = await createDevice(app, licence);
    const takeSeat = (sessionId: string) =>
      takeLease(anyProcess(), buildValuesFrom(app, device, licence, { sessionId }));
    const fewer = { numberOfUsers: 2, numberOfMachines: 10, allowOnVms: false };
    const [reduced] = await Promise.all([
      settle(() => changeSeats(anyProcess(), user.id, licence.id, fewer)),
      ...Array.from({ length: 6 }, (_, n) => retryUntilDone(() => takeSeat(`session-${n}`))),
    ]);
    const taken = await em().count(Lease, { licence: licence.id, endedAt: null });
    expect([reduced, taken]).toEqual(reduced === "done" ? ["done", 2] : ["CONFLICT", 4]);
  }
});

test("ends all seats and rejects checks after a licence is deactivated while its devices send requests", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user);
    const device = await createDevice(app, licence);
    const toRequest = (more: Record<string, unknown> = {}) => buildValuesFrom(app, device, licence, more);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) =>
        retryUntilDone(() => takeLease(anyProcess(), toRequest({ sessionId: `session-${n}` }))),
      ),
      ...Array.from({ length: 4 }, () => retryUntilDone(() => validateLicence(anyProcess(), toRequest()))),
      ...[1, 2].map(() =>
        retryUntilDone(() => deactivateLicence(anyProcess(), user.id, licence.id)).then(() => ({ code: "VALID" })),
      ),
    ]);
    const refused = new Set(answers.map(({ code }) => code));
    for (const code of refused) expect(["VALID", "LICENCE_REVOKED", "NO_SEATS_AVAILABLE"]).toContain(code);
    expect(await em().count(Lease, { licence: licence.id, endedAt: null })).toBe(0);
    expect((await retryUntilDone(() => validateLicence(anyProcess(), toRequest()))).code).toBe("LICENCE_REVOKED");
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "revoke" })).toBe(1);
    expect(await em().count(AuditEntry, { subjectId: licence.id })).toBe(1);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
  }
});

test("saves one of ten concurrent updates of the same revision and reports a conflict to the other nine", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of10; round++) {
    const licence = await createLicence(app, user);
    const { expiresAt, licenceCategory } = licence;
    const began = { expiresAt, licenceCategory, purchaseOrderNumber: null, projectTerm: null };
    const outcomes = await atOnce(10, (n) => {
      const expiryDate = addMilliseconds(expiresAt, (n + 1) * DAY);
      const values = { licenceCategory: 1, expiryDate, purchaseOrderNumber: `PO-${n}`, projectTerm: undefined };
      return settle(() => updateLicence(anyProcess(), user.id, licence.id, values, began));
    });
    expect(outcomes.toSorted()).toEqual([...Array(9).fill("CONFLICT"), "done"]);
    expect(await em().count(AuditEntry, { subjectId: licence.id })).toBe(1);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "extend" })).toBe(1);
  }
});

test("extends a trial once for ten concurrent requests with the same terms", async () => {
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of10; round++) {
    const { id, expiresAt, usageLimit } = await createTrialLicence(app, user, { usageLimit: 20 });
    const values = { days: 7, conversions: 10, reason: "Asked by phone", terms: { expiresAt, usageLimit } };
    const outcomes = await atOnce(10, () => settle(() => extendTrial(anyProcess(), user.id, id, values)));
    expect(outcomes.toSorted()).toEqual([...Array(9).fill("CONFLICT"), "done"]);
    const extended = { expiresAt: addMilliseconds(expiresAt, 7 * DAY), usageLimit: 30 };
    expect(await em().findOneOrFail(Licence, id)).toMatchObject(extended);
    expect(await em().count(AuditEntry, { subjectId: id })).toBe(1);
  }
});

test("of concurrent re-issues of a licence code one succeeds, with one email, and the old code never works again", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    await app.services.pool.query(
      `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name, ip)
       select now(), now(), 'activate', 22, $1, 'PC-' || n, '203.0.' || n || '.7' from generate_series(1, 20) n`,
      [licence.id],
    );
    const validate = () => callAddinFrom(app, device, "validate", licence);
    const [reissues, checks] = await Promise.all([
      atOnce(6, () => settle(() => reissueLicenceCode(anyProcess(), user.id, licence.id))),
      atOnce(6, () => retryUntilServed(validate)),
      atOnce(2, () => retryUntilDone(() => measureLeaks.run(anyProcess()))),
    ]);
    expect(reissues.toSorted()).toEqual([...Array(5).fill("CONFLICT"), "done"]);
    for (const { json } of checks) expect([1, 10]).toContain(json.data.resultCode);
    expect((await validate()).json.data.resultCode).toBe(10);
    expect(await listEmailsTo(app, user.email)).toHaveLength(1);
    const { rows } = await app.services.pool.query("select listed_at from leak_measurements where licence_id = $1", [
      licence.id,
    ]);
    expect(rows).toEqual([{ listed_at: null }]);
  }
});

import { expect, test } from "vitest";
import { maintainEventPartitions } from "#api/licensing/licences/maintain-event-partitions.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/sweeps.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const otherProcess = await openSecondProcess(app);
const ROUNDS = 8;

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

test("neither loses nor rejects events while two processes create partitions concurrently", async () => {
  const licence = await createLicence(app, await createUser(app), {
    numberOfMachines: 4,
    expiresAt: new Date("2200-01-01"),
  });
  const devices = await Promise.all(Array.from({ length: 4 }, () => createDevice(app, licence)));
  let written = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    // The partition of this month doesn't exist yet, so its first events go to the default partition.
    app.clock.setOffset(round * 150 * DAY);
    const month = `licence_events_${app.clock.now().toISOString().slice(0, 7).replace("-", "_")}`;
    let sweeping = true;
    const sweeps = Promise.all([
      sweepUntilCreated(app.services, month),
      sweepUntilCreated(otherProcess, month),
    ]).finally(() => {
      sweeping = false;
    });
    const writers = devices.map(async (device, n) => {
      for (let round = 0; sweeping || round < 10; round++) {
        if (n % 2) {
          const { status, json } = await callAddinFrom(app, device, "validate", licence);
          expect([status, json.data?.resultCode]).toEqual([200, 1]);
        } else {
          const context = createContext(n ? otherProcess : app.services);
          await recordRepeatedEvent(
            {
              ...context,
              em: context.em,
              clock: { now: () => new Date(app.clock.now().getTime() + round * 61 * MINUTE) },
            },
            context.em,
            { kind: "usage", resultCode: 1, licenceId: licence.id, deviceId: device.id },
          );
        }
        written++;
      }
    });
    await Promise.all([sweeps, ...writers]);
  }
  expect(await sum("sum(count)")).toBe(written);
  await runSweep(app.services, maintainEventPartitions);
  expect(await sum("sum(count)")).toBe(written);
  const { rows } = await app.services.pool.query("select 1 from licence_events_default");
  expect(rows).toEqual([]);
}, 180_000);

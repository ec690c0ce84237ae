import { expect, test } from "vitest";
import { keepEventPartitions } from "#api/licensing/licences/keep-event-partitions.ts";
import { noteRepeatedEvent } from "#api/licensing/licences/note-licence-event.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { runUntilDone } from "#api/platform/due-work.ts";
import { askFrom } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openBeside } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const beside = await openBeside(app);
const ROUNDS = 8;

const sum = async (sql: string): Promise<number> =>
  (await app.services.pool.query<{ n: string }>(`select ${sql} as n from licence_events`)).rows.map(({ n }) =>
    Number(n),
  )[0] ?? 0;

async function sweepUntilMade(services: Services, month: string): Promise<void> {
  // The other process may wait for a lock for a while; a turn without the lock takes next to no time.
  const startedAt = performance.now();
  while (performance.now() - startedAt < 15_000) {
    await runUntilDone(services, keepEventPartitions);
    const { rows } = await app.services.pool.query(`select to_regclass($1) as made`, [month]);
    if (rows[0].made) return;
  }
  throw new Error(`${month} was never made`);
}

test("two processes that make partitions at once lose no event that is written meanwhile, nor refuse one", async () => {
  const licence = await createLicence(app, await createUser(app), {
    numberOfMachines: 4,
    expiresAt: new Date("2200-01-01"),
  });
  const devices = await Promise.all(Array.from({ length: 4 }, () => createDevice(app, licence)));
  let written = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    // Nobody has made this month yet: its first events lie in the default partition.
    app.clock.setOffset(round * 150 * DAY);
    const month = `licence_events_${app.clock.now().toISOString().slice(0, 7).replace("-", "_")}`;
    let sweeping = true;
    const made = Promise.all([sweepUntilMade(app.services, month), sweepUntilMade(beside, month)]).finally(() => {
      sweeping = false;
    });
    const asking = devices.map(async (device, n) => {
      for (let asked = 0; sweeping || asked < 10; asked++) {
        if (n % 2) {
          const { status, json } = await askFrom(app, device, "validate", licence);
          expect([status, json.data?.resultCode]).toEqual([200, 1]);
        } else {
          const context = createContext(n ? beside : app.services);
          await noteRepeatedEvent(
            {
              ...context,
              em: context.em,
              clock: { now: () => new Date(app.clock.now().getTime() + asked * 61 * MINUTE) },
            },
            context.em,
            { kind: "usage", resultCode: 1, licenceId: licence.id, deviceId: device.id },
          );
        }
        written++;
      }
    });
    await Promise.all([made, ...asking]);
  }
  expect(await sum("sum(count)")).toBe(written);
  await runUntilDone(app.services, keepEventPartitions);
  expect(await sum("sum(count)")).toBe(written);
  const { rows } = await app.services.pool.query("select 1 from licence_events_default");
  expect(rows).toEqual([]);
}, 180_000);

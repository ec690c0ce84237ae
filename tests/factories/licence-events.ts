import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Creates a successful check of a licence, with `changes`. */
export async function createLicenceEvent(test: TestApp, changes: Partial<LicenceEvent>): Promise<void> {
  const em = test.services.orm.em.fork();
  const at = changes.at ?? test.clock.now();
  em.create(LicenceEvent, { at, lastAt: at, kind: "validate", resultCode: 1, ...changes } as never);
  await em.flush();
}

/** Adds `count` licence events over the last 60 days, with machine names, users and IP addresses. */
export async function addLicenceEvents(test: TestApp, licence: Licence, count: number): Promise<void> {
  for (let from = 1; from <= count; from += 50_000)
    await test.services.pool.query(
      `insert into licence_events (at, last_at, kind, result_code, licence_id, machine_name, os_user, add_in_version, ip)
       select at, at, 'validate', 1, $1, 'BNE-GRACE-' || n % 7, 'grace', '4.1.0', '203.0.113.' || n % 250
         from generate_series($2::int, $3::int) n, lateral (select now() - n % 5184000 * interval '1 second' as at) t`,
      [licence.id, from, Math.min(count, from + 49_999)],
    );
}

import { expect, test } from "vitest";
import { findPurge } from "#tests/support/find-purge.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("purges provider events 90 days after they were applied, and keeps those still waiting", async () => {
  const ago = (days: number) => addMilliseconds(app.clock.now(), -days * DAY);
  for (const [id, appliedAt] of [
    ["evt_applied_91_days_ago", ago(91)],
    ["evt_applied_89_days_ago", ago(89)],
    ["evt_waits", null],
  ])
    await app.services.pool.query(
      `insert into payment_notices (id, type, created_at, received_at, applied_at)
       values ($1, 'invoice.paid', $2, $2, $3)`,
      [id, ago(200), appliedAt],
    );
  expect(await findPurge("payment-notices").run(app.context())).toBe(1);
  expect(await findPurge("payment-notices").run(app.context())).toBe(0);
  const { rows } = await app.services.pool.query("select id from payment_notices order by id");
  expect(rows.map(({ id }) => id)).toEqual(["evt_applied_89_days_ago", "evt_waits"]);
});

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { sealEntries } from "#api/audit/chain/seal-entries.ts";
import { verifyChain } from "#api/audit/chain/verify-chain.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import {
  flushSecurityEvents,
  recordSecurityEvent,
  reportSecurityEvent,
} from "#api/audit/security-events/record-security-event.ts";
import { createContext, type Services } from "#api/platform/context.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { createAdmin } from "#tests/factories/user.ts";
import { atOnce, ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const processes = [app.services, await openSecondProcess(app)];
const admin = await createAdmin(app);

async function changeSomething(services: Services, index: number): Promise<void> {
  const context = createContext(services, { actor: { userId: admin.id, sessionId: randomUUID(), role: "admin" } });
  await inTransaction(context, async (em) => {
    const subject = { type: "promo-code", id: randomUUID(), name: `CODE${index}` } as const;
    await recordChange(context, em, { action: "add-promo-code", subject, userId: null, after: { percent: index } });
    const detail = { before: "Regular", after: "Admin" } as const;
    await recordSecurityEvent(context, em, { type: "role.changed", userId: admin.id, detail });
    // Half of the transactions are rolled back after they took their numbers.
    if (index % 2) throw new Error("rolled back");
  }).catch(() => {});
  reportSecurityEvent(context, { type: "refresh.refused", detail: { reason: "unknown" } });
}

test("links every entry of two processes once, in one unbroken chain, while both write and link", async () => {
  const seal = async () => {
    for (const services of [...processes, ...processes]) await sealEntries.run(createContext(services));
  };
  const change = (index: number) => changeSomething(processes[index % 2] as Services, index);
  for (let round = 0; round < ROUNDS.of10; round++) await Promise.all([atOnce(20, change), seal(), seal()]);
  for (const services of processes) await flushSecurityEvents(services, { isStopping: true });
  while ((await sealEntries.run(app.context())) > 0);
  const report = await verifyChain(app.services.pool, getAuditKey(app.services) ?? "", new Date());
  expect(report).toMatchObject({ ok: true, waiting: 0 });
  const { rows } = await app.services.pool.query(
    "select (select count(*) from audit_entries)::int as entries, (select count(*) from security_events)::int as events",
  );
  expect(report.links).toBe(rows[0].entries + rows[0].events);
  expect(rows[0].entries).toBe(ROUNDS.of10 * 10);
});

test("counts a flood of failures from one address in one row a minute in each process", async () => {
  const before = await app.services.pool.query("select id from security_events");
  for (const services of processes) {
    const context = createContext(services, { origin: { ip: "203.0.113.77" } });
    for (let index = 0; index < 1_000; index++)
      reportSecurityEvent(context, { type: "sign-in.failed", detail: { client: "portal", reason: "wrong-password" } });
    await flushSecurityEvents(services, { isStopping: true });
  }
  const { rows } = await app.services.pool.query(
    "select count(*)::int as rows, sum(count)::int as events from security_events where address = '203.0.113.77' and not id = any($1)",
    [before.rows.map(({ id }) => id)],
  );
  expect(rows[0].events).toBe(2_000);
  // A minute may end during the flood, which starts the next count.
  expect(rows[0].rows).toBeLessThanOrEqual(2 * 2 * 21);
});

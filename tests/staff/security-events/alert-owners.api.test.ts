import { beforeEach, expect, test } from "vitest";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const grace = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
const alan = await createAdmin(app, { firstName: "Alan", lastName: "Turing" });
const support = await createAdmin(app, { staffRoles: ["support"] });
const archived = await createAdmin(app, { archivedAt: app.clock.now() });

const countAlerts = async (user: User) =>
  (await listEmailsTo(app, user.email)).filter(({ subject }) => subject.startsWith("Security alert")).length;

async function lock(user: User): Promise<void> {
  const context = app.context();
  await recordSecurityEvent(context, context.em, {
    type: "sign-in.locked",
    userId: user.id,
    detail: { limit: "email", seconds: 60 },
  });
}

beforeEach(() => app.clock.setOffset(0));

test("emails the active owners once about many locks of an admin, and again after 15 minutes", async () => {
  await app.services.jobs.runSweeps();
  for (let index = 0; index < 5; index++) await lock(grace);
  await app.services.jobs.runSweeps();
  await lock(grace);
  await app.services.jobs.runSweeps();
  expect([await countAlerts(grace), await countAlerts(alan)]).toEqual([1, 1]);
  expect([await countAlerts(support), await countAlerts(archived)]).toEqual([0, 0]);
  const [alert] = (await listEmailsTo(app, alan.email)).filter(({ subject }) => subject.startsWith("Security alert"));
  expect(alert?.text).toContain("Grace Hopper");
  expect(alert?.text).toContain("5 times");
  app.clock.setOffset(16 * MINUTE);
  await app.services.jobs.runSweeps();
  expect(await countAlerts(alan)).toBe(2);
  await app.services.jobs.runSweeps();
  expect(await countAlerts(alan)).toBe(2);
});

test("sends no alert about locked customers", async () => {
  app.clock.setOffset(60 * MINUTE);
  await lock(await createUser(app));
  const before = await countAlerts(alan);
  await app.services.jobs.runSweeps();
  expect(await countAlerts(alan)).toBe(before);
});

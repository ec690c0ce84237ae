import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { recordSecurityEvent } from "#api/audit/security-events/record-security-event.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { sealEntries } from "#api/audit/chain/seal-entries.ts";
import { alertOwners } from "#api/staff/security-events/alert-owners.ts";
import { runOnly } from "#tests/support/run-only.ts";
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
  await runOnly(app, sealEntries, alertOwners);
  for (let index = 0; index < 5; index++) await lock(grace);
  await runOnly(app, sealEntries, alertOwners);
  await lock(grace);
  await runOnly(app, sealEntries, alertOwners);
  expect([await countAlerts(grace), await countAlerts(alan)]).toEqual([1, 1]);
  expect([await countAlerts(support), await countAlerts(archived)]).toEqual([0, 0]);
  const [alert] = (await listEmailsTo(app, alan.email)).filter(({ subject }) => subject.startsWith("Security alert"));
  expect(alert?.text).toContain("Grace Hopper");
  expect(alert?.text).toContain("5 times");
  app.clock.setOffset(16 * MINUTE);
  await runOnly(app, sealEntries, alertOwners);
  expect(await countAlerts(alan)).toBe(2);
  await runOnly(app, sealEntries, alertOwners);
  expect(await countAlerts(alan)).toBe(2);
});

test("sends no alert about locked customers", async () => {
  app.clock.setOffset(60 * MINUTE);
  await lock(await createUser(app));
  const before = await countAlerts(alan);
  await runOnly(app, sealEntries, alertOwners);
  expect(await countAlerts(alan)).toBe(before);
});

/** Runs what `act` does after the pause of earlier alerts, and returns the text of the alert about it. */
async function readAlert(minutes: number, act: () => Promise<unknown>): Promise<string> {
  app.clock.setOffset(minutes * MINUTE);
  await runOnly(app, sealEntries, alertOwners);
  const before = await countAlerts(alan);
  app.clock.setOffset((minutes + 16) * MINUTE);
  await act();
  await runOnly(app, sealEntries, alertOwners);
  const emails = (await listEmailsTo(app, alan.email)).filter(({ subject }) => subject.startsWith("Security alert"));
  return emails.length > before ? (emails[0]?.text ?? "") : "";
}

const credit = (amountCents: number) => async () => {
  const { id } = await createCorporateUser(app);
  const query =
    "mutation ($id: ID!, $input: CreditInput!, $key: String!) { addCredit(userId: $id, input: $input, key: $key) { id } }";
  const variables = { id, input: { amountCents, reason: "Goodwill for the outage" }, key: randomUUID() };
  const { errors } = await app.graphql(query, variables, await signInAs(app, grace));
  expect(errors).toBe(undefined);
};

test("emails the owners about a large credit, and not about a small one", async () => {
  expect(await readAlert(100, credit(99_999))).toBe("");
  const alert = await readAlert(200, credit(1_000_00));
  expect(alert).toContain("Credit of at least A$1,000.00");
  expect(alert).toContain("Grace Hopper");
});

test("emails the owners about many exports of one member of staff, and about a withdrawn build", async () => {
  const context = app.context();
  const record = (count: number) => async () => {
    for (let index = 0; index < count; index++)
      await recordSecurityEvent(context, context.em, {
        type: "export.made",
        userId: support.id,
        detail: { kind: "report", format: "csv", name: "Users" },
      });
  };
  expect(await readAlert(300, record(19))).toBe("");
  expect(await readAlert(500, record(20))).toContain("Data exported");
  const withdrawn = await readAlert(700, () =>
    recordSecurityEvent(context, context.em, {
      type: "build.withdrawn",
      actorId: support.id,
      detail: { buildId: randomUUID(), stage: "Production", version: "1.2.3" },
    }),
  );
  expect(withdrawn).toContain("withdrawn");
});

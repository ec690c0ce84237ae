import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { createSubscriber } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const staff = await createAdmin(app, { staffRoles: ["finance"] });
const token = await signInAs(app, staff);

const findLastExport = () =>
  app.services.orm.em
    .fork()
    .findOneOrFail(AuditEntry, { action: "export-report", actorId: staff.id }, { orderBy: { at: "desc" } });

const download = (body: object, as = token) =>
  app.rest("POST", "/v1/reports/download-subscriptions", { body, token: as });

test("exports the subscriptions of a filter with amounts including GST, and records it in the audit log", async () => {
  const { user } = await createSubscriber(app);
  const other = await createSubscriber(app);
  const { status, text } = await download({ search: user.email, statuses: ["ACTIVE"] });
  expect(status).toBe(200);
  const [titles, row, ...more] = text.trim().split("\n");
  expect(titles).toMatch(/^Customer,Company,Email,Plan,Status,Amount \(AUD\),/);
  expect(row).toContain(`,${user.email},`);
  expect(row).toMatch(/,Active,\d+\.\d\d,20\d\d-/);
  expect(more).toEqual([]);
  expect(text).not.toContain(other.user.email);

  const { data } = await app.graphql(
    `query ($search: String) { billingSubscriptions(filter: { search: $search }) { rows { plan amountCents } } }`,
    { search: user.email },
    token,
  );
  const [listed] = data.billingSubscriptions.rows;
  expect(row).toContain(`,Active,${(listed.amountCents / 100).toFixed(2)},`);
  expect(row).toContain(listed.plan);
  expect(await findLastExport()).toMatchObject({
    actorId: staff.id,
    subjectType: "export",
    subjectName: "Subscriptions",
    after: { format: "csv" },
  });
});

test("finds nothing for statuses that no subscription has", async () => {
  expect((await download({ statuses: ["PAUSED"] })).text.trim().split("\n")).toHaveLength(1);
});

test("records every report that staff download in the audit log", async () => {
  const body = { reportType: 1, startDate: "2025-01-01", endDate: "2025-01-31", format: "csv" };
  expect((await app.rest("POST", "/v1/reports/download-report", { body, token })).status).toBe(200);
  expect((await findLastExport()).subjectName).not.toBe("Subscriptions");
});

test("refuses customers and staff without the role", async () => {
  for (const user of [await createUser(app), await createAdmin(app, { staffRoles: ["release"] })])
    expect((await download({}, await signInAs(app, user))).status).toBe(403);
});

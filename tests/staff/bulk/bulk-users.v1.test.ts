import { expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { processBulkRun } from "#api/staff/bulk/process-bulk-run.ts";
import { formatFaults, loadRows, loadRun, processRun, checkFile } from "#tests/factories/bulk.ts";
import { createLicence, createRevokedLicence } from "#tests/factories/licence.ts";
import { createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { User } from "#api/people/users/user.entity.ts";

const app = await startTestApp();
const { user: admin, token } = await createSignedInAdmin(app);
const em = () => app.context().em;

function open(users: object, changes: object = {}): Promise<{ id: string; terms: string[] }> {
  const input = { kind: "EXTEND_LICENCES", addDays: 30, users, ...changes };
  return app.call("openBulkRun { id terms }", { input }, token);
}

async function check(users: object, changes: object = {}) {
  const { id, terms } = await open(users, changes);
  await app.services.jobs.drain();
  return { run: await loadRun(app, id), terms };
}

test("extends every licence of the users exactly once and records each change", async () => {
  const expiresAt = addMilliseconds(app.clock.now(), 10 * DAY);
  const licences: Licence[] = [];
  for (let n = 0; n < 30; n++) licences.push(await createLicence(app, await createUser(app), { expiresAt }));
  const bystander = await createLicence(app, await createUser(app), { expiresAt });
  const { run, terms } = await check({ userIds: licences.map(({ user }) => user.id) });
  expect(terms).toEqual(["30 days added", "30 selected users"]);
  expect(run).toMatchObject({ state: "ready", planned: 30, faulty: 0 });
  expect(await processRun(app, token, run.id)).toMatchObject({ state: "done", done: 30, failed: 0 });
  const ids = licences.map(({ id }) => id);
  expect(await em().count(Licence, { id: { $in: ids }, expiresAt: addMilliseconds(expiresAt, 30 * DAY) })).toBe(30);
  const entries = await em().find(AuditEntry, { action: "update-licence", subjectId: { $in: ids } });
  expect(new Set(entries.map(({ subjectId }) => subjectId)).size).toBe(30);
  expect(entries.map(({ actorId }) => actorId)).toEqual(Array(30).fill(admin.id));
  expect((await em().findOneOrFail(Licence, bystander.id)).expiresAt).toEqual(expiresAt);
});

test("selects the users of a filter, and lists users without a licence as skipped", async () => {
  const company = { companyName: "Filtered Rail" };
  const usedUp = { productLevel: 3, usageLimit: 20, usageCount: 20 };
  const trial = await createLicence(app, await createUser(app, company), usedUp);
  const full = await createLicence(app, await createUser(app, company));
  const none = await createUser(app, company);
  await createRevokedLicence(app, none);
  await createLicence(app, await createUser(app, { ...company, archivedAt: app.clock.now() }));
  const { run, terms } = await check({ search: "filtered rail", includeArchived: false });
  expect(terms).toEqual(["30 days added", "Users matching “filtered rail”"]);
  const rows = await loadRows(app, run.id);
  const valid = rows.filter(({ faults }) => faults.length === 0).map(({ label }) => label);
  expect(new Set(valid)).toEqual(new Set([trial.supportCode, full.supportCode]));
  expect(formatFaults(rows).map((fault) => fault.replace(/^\d+ /, ""))).toEqual(["Row: This user has no licence."]);
  expect(rows.find(({ faults }) => faults.length > 0)).toMatchObject({ label: none.email, userId: none.id });
  const trials = await check({ search: "filtered rail" }, { onlyTrials: true });
  expect(trials.run).toMatchObject({ planned: 1, faulty: 3 });
  const planned = (await loadRows(app, trials.run.id)).find(({ label }) => label === trial.supportCode);
  expect(planned?.says).toContain("All its conversions are used: add some on the user's Licences tab.");
});

test("lists each licence once if the process is killed between the last rows and the end of the check", async () => {
  const licence = await createLicence(app, await createUser(app), { purchaseOrderNumber: "PO-KILLED" });
  const conditions = { users: null, purchaseOrderNumber: "PO-KILLED" };
  for (const { run } of [await check({ userIds: [licence.user.id] }), await check({}, conditions)]) {
    await app.services.pool.query("update bulk_runs set state = 'checking' where id = $1", [run.id]);
    await processBulkRun(app.context(), { runId: run.id });
    expect(await loadRun(app, run.id)).toMatchObject({ state: "ready", planned: 1, faulty: 0 });
    expect(await loadRows(app, run.id)).toHaveLength(1);
  }
});

test("rejects an empty selection, and a selection without users", async () => {
  const refusal = (field: string) => ({ fields: { [field]: [expect.any(String)] } });
  await expect(open({ userIds: [] })).rejects.toMatchObject(refusal("users.userIds"));
  await expect(open({ userIds: ["nonsense"] })).rejects.toMatchObject(refusal("users.userIds[0]"));
  const { run } = await check({ search: "nobody-has-this-name" });
  expect(run).toMatchObject({ state: "refused", faults: ["No users are selected. They may have been deleted."] });
});

async function exportReport(reportType: number): Promise<Buffer> {
  const body = { reportType, startDate: "2000-01-01", endDate: "2099-12-31", format: "csv" };
  return (await app.rest("POST", "/v1/reports/download-report", { body, token })).bytes;
}

/** Imports an exported file, with other email addresses, and returns the addresses. */
async function importAgain(kind: string, file: Buffer, email: string): Promise<string> {
  const run = await checkFile(app, token, `kind=${kind}`, file.toString().replaceAll(email, `new-${email}`));
  expect(formatFaults((await loadRows(app, run.id)).filter(({ label }) => label.includes(email)))).toEqual([]);
  await processRun(app, token, run.id);
  return `new-${email}`;
}

test("a file of users that is exported and imported changes no value", async () => {
  const details = {
    firstName: "'=Ada",
    lastName: "＝Zoë 李",
    companyName: 'A "B", C; @D',
    position: "-",
    mobile: "+61 400 123 456",
    unitNumber: "007",
    city: "''+Łódź",
    postCode: "0800",
    state: "NT",
    annualDeactivationLimit: 7,
    isTester: true,
  };
  const user = await createUser(app, details);
  const file = await exportReport(1);
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(file.toString().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const email = await importAgain("import-users", file, user.email);
  expect(await em().findOneOrFail(User, { email })).toMatchObject(details);
});

test("a file of licences that is exported and imported changes no value", async () => {
  const details = {
    expiresAt: new Date("2031-05-31T23:59:59.999Z"),
    numberOfMachines: 4,
    purchaseOrderNumber: "=PO-1",
    allowOnVms: true,
  };
  const owner = await createUser(app);
  await createLicence(app, owner, details);
  const other = await createUser(app, { email: `new-${owner.email}`, signInEmail: `new-${owner.email}` });
  await importAgain("import-licences", await exportReport(4), owner.email);
  expect(await em().find(Licence, { user: other.id })).toMatchObject([details]);
});

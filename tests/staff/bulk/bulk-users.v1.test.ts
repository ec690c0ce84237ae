import { beforeAll, describe, expect, test } from "vitest";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { formatFaults, loadRows, loadRun, processRun } from "#tests/factories/bulk.ts";
import { createLicence, createRevokedLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let admin: User;
let token = "";

beforeAll(async () => {
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

const open = (users: object, changes: object = {}) =>
  app.graphql(
    "mutation ($input: BulkFilterRunInput!) { openBulkRun(input: $input) { id terms } }",
    { input: { kind: "extend-licences", addDays: 30, users, ...changes } },
    token,
  );

async function check(users: object, changes: object = {}) {
  const { data, errors } = await open(users, changes);
  expect(errors).toBeUndefined();
  await app.services.jobs.drain();
  return { run: await loadRun(app, data.openBulkRun.id), terms: data.openBulkRun.terms as string[] };
}

describe("extension for selected users", () => {
  test("extends every licence of 500 users exactly once and records each change", async () => {
    const now = app.clock.now();
    const model = await createUser(app, { companyName: "Five Hundred" });
    const licence = await createLicence(app, model, { expiresAt: addMilliseconds(now, 10 * DAY) });
    const { pool } = app.services;
    await copyRow(pool, "users", {
      which: `where id = '${model.id}'`,
      times: 499,
      differing: `'email', 'five' || n || '@example.com', 'sign_in_email', 'five' || n || '@example.com',
        'confirmation_handle', gen_random_uuid()`,
    });
    const { rows: users } = await pool.query<{ id: string }>(
      "select id from users where company_name = 'Five Hundred'",
    );
    const ids = users.map(({ id }) => id);
    const others = ids.filter((id) => id !== model.id);
    await copyRow(pool, "licences", {
      which: `where id = '${licence.id}'`,
      times: 499,
      differing: `'user_id', ('{${others.join(",")}}'::uuid[])[n], 'licence_code', 'FIVE' || lpad(n::text, 26, '0'),
        'support_code', 'S-F' || lpad(n::text, 7, '0')`,
    });
    const bystander = await createLicence(app, await createUser(app), { expiresAt: addMilliseconds(now, 10 * DAY) });
    const { run, terms } = await check({ userIds: ids });
    expect(terms).toEqual(["30 days added", "500 selected users"]);
    expect(run).toMatchObject({ state: "ready", planned: 500, faulty: 0 });
    expect(await processRun(app, token, run.id)).toMatchObject({ state: "done", done: 500, failed: 0 });
    const { rows } = await pool.query(
      `select count(*)::int as licences, count(*) filter (where l.expires_at = $1)::int as extended from licences l
         join users u on u.id = l.user_id where u.company_name = 'Five Hundred'`,
      [addMilliseconds(licence.expiresAt, 30 * DAY)],
    );
    expect(rows).toEqual([{ licences: 500, extended: 500 }]);
    const { rows: audited } = await pool.query(
      `select count(*)::int as entries, count(distinct subject_id)::int as licences, count(distinct user_id)::int as users
         from audit_entries where action = 'update-licence' and actor_id = $1`,
      [admin.id],
    );
    expect(audited).toEqual([{ entries: 500, licences: 500, users: 500 }]);
    const { rows: untouched } = await pool.query("select from licences where id = $1 and expires_at = $2", [
      bystander.id,
      bystander.expiresAt,
    ]);
    expect(untouched).toHaveLength(1);
  });

  test("selects the users of a filter, and lists users without a licence as skipped", async () => {
    const company = { companyName: "Filtered Rail" };
    const trial = await createLicence(app, await createUser(app, company), { productLevel: 3 });
    const full = await createLicence(app, await createUser(app, company));
    const none = await createUser(app, company);
    await createRevokedLicence(app, none);
    await createLicence(app, await createUser(app, { ...company, archivedAt: app.clock.now() }));
    const { run, terms } = await check({ search: "filtered rail", includeArchived: false });
    expect(terms).toEqual(["30 days added", "Users matching “filtered rail”"]);
    const rows = await loadRows(app, run.id);
    expect(
      rows
        .filter(({ faults }) => faults.length === 0)
        .map(({ label }) => label)
        .toSorted(),
    ).toEqual([trial.supportCode, full.supportCode].toSorted());
    expect(formatFaults(rows).map((fault) => fault.replace(/^\d+ /, ""))).toEqual(["Row: This user has no licence."]);
    expect(rows.find(({ faults }) => faults.length > 0)).toMatchObject({ label: none.email, userId: none.id });
    const trials = await check({ search: "filtered rail" }, { onlyTrials: true });
    expect(trials.run).toMatchObject({ planned: 1, faulty: 3 });
  });

  test("rejects an empty selection, and a selection without users", async () => {
    expect(Object.keys((await open({ userIds: [] })).errors?.[0]?.extensions.fields ?? {})).toEqual(["users.userIds"]);
    expect(Object.keys((await open({ userIds: ["nonsense"] })).errors?.[0]?.extensions.fields ?? {})).toEqual([
      "users.userIds[0]",
    ]);
    const { run } = await check({ search: "nobody-has-this-name" });
    expect(run).toMatchObject({ state: "refused", faults: ["No users are selected. They may have been deleted."] });
  });
});

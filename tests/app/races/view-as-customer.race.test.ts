import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const EIGHT = Array.from({ length: 8 }, (_, index) => index);

const openView = (userId: string, token: string) =>
  app.graphql(`mutation { viewAsCustomer(userId: "${userId}") { accessToken } }`, {}, token);
const isSignedIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const countEnds = (userId: string) => app.services.orm.em.fork().count(AuditEntry, { userId, action: "end-view" });

test("ends all views of an admin who signs out, including one opened concurrently", async () => {
  const admin = await createAdmin(app);
  for (const _ of EIGHT) {
    const customer = await createUser(app);
    const token = await signInAs(app, admin);
    const early = (await openView(customer.id, token)).data.viewAsCustomer.accessToken as string;
    const [late] = await Promise.all([openView(customer.id, token), app.graphql("mutation { signOut }", {}, token)]);
    const begun = late.data?.viewAsCustomer?.accessToken as string | undefined;
    expect(await isSignedIn(early)).toBe(false);
    if (begun) expect(await isSignedIn(begun)).toBe(false);
  }
});

test("records the end of a view once when it is stopped eight times as it expires", async () => {
  const customer = await createUser(app);
  const begun = (await openView(customer.id, await signInAs(app, await createAdmin(app)))).data;
  const view = begun.viewAsCustomer.accessToken as string;
  try {
    app.clock.setOffset(15 * MINUTE - 1_000);
    const stops = EIGHT.map(() => app.graphql("mutation { signOut }", {}, view));
    app.clock.setOffset(15 * MINUTE);
    await Promise.all([...stops, app.services.jobs.runSweeps(), app.services.jobs.runSweeps()]);
  } finally {
    app.clock.setOffset(0);
  }
  expect(await countEnds(customer.id)).toBe(1);
  expect(await isSignedIn(view)).toBe(false);
});

test("records no name for a view opened while the customer's account is being deleted", async () => {
  const customer = await createUser(app, { firstName: "Grace", lastName: "Hopperton" });
  const token = await signInAs(app, await createAdmin(app));
  const deletion = await app.services.pool.connect();
  try {
    await deletion.query("begin");
    await deletion.query("select from users where id = $1 for update", [customer.id]);
    const opening = openView(customer.id, token);
    await expect
      .poll(async () => {
        const { rows } = await app.services.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBe(1);
    await deletion.query(
      "update users set first_name = 'Deleted', last_name = 'User', archived_at = now(), deleted_at = now() where id = $1",
      [customer.id],
    );
    await deletion.query("commit");
    expect((await opening).errors?.[0]?.extensions.code).toBe("CONFLICT");
  } finally {
    deletion.release();
  }
  expect(await app.services.orm.em.fork().count(AuditEntry, { userId: customer.id })).toBe(0);
});

import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { MINUTE } from "#api/platform/clock.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const EIGHT = Array.from({ length: 8 }, (_, index) => index);

const open = (userId: string, token: string) =>
  app.graphql(`mutation { viewAsCustomer(userId: "${userId}") { accessToken } }`, {}, token);
const isIn = async (token: string) => (await app.graphql("{ me { id } }", {}, token)).errors === undefined;
const endsOf = (userId: string) => app.services.orm.em.fork().count(AuditEntry, { userId, action: "end-view" });

test("after an admin's sign-out was answered no view of theirs reads on, not even one begun at the same moment", async () => {
  const admin = await createAdmin(app);
  for (const _ of EIGHT) {
    const customer = await createUser(app);
    const token = await signInAs(app, admin);
    const early = (await open(customer.id, token)).data.viewAsCustomer.accessToken as string;
    const [late] = await Promise.all([open(customer.id, token), app.graphql("mutation { signOut }", {}, token)]);
    const begun = late.data?.viewAsCustomer?.accessToken as string | undefined;
    expect(await isIn(early)).toBe(false);
    if (begun) expect(await isIn(begun)).toBe(false);
  }
});

test("a view that is stopped eight times at once, while its time runs out, is written down once", async () => {
  const customer = await createUser(app);
  const begun = (await open(customer.id, await signInAs(app, await createAdmin(app)))).data;
  const view = begun.viewAsCustomer.accessToken as string;
  try {
    app.clock.setOffset(15 * MINUTE - 1_000);
    const stops = EIGHT.map(() => app.graphql("mutation { signOut }", {}, view));
    app.clock.setOffset(15 * MINUTE);
    await Promise.all([...stops, app.services.jobs.runDueWork(), app.services.jobs.runDueWork()]);
  } finally {
    app.clock.setOffset(0);
  }
  expect(await endsOf(customer.id)).toBe(1);
  expect(await isIn(view)).toBe(false);
});

test("a view that is asked for while its customer's account is being deleted notes no name after the erasure", async () => {
  const customer = await createUser(app, { firstName: "Grace", lastName: "Hopperton" });
  const token = await signInAs(app, await createAdmin(app));
  const deletion = await app.services.pool.connect();
  try {
    await deletion.query("begin");
    await deletion.query("select from users where id = $1 for update", [customer.id]);
    const asked = open(customer.id, token);
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
    expect((await asked).errors?.[0]?.extensions.code).toBe("CONFLICT");
  } finally {
    deletion.release();
  }
  expect(await app.services.orm.em.fork().count(AuditEntry, { userId: customer.id })).toBe(0);
});

import { beforeEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { blockMachine } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;
const admin = await signInAs(app, await createAdmin(app));
let kept: User;
let merged: User;
beforeEach(async () => {
  [kept, merged] = [await createUser(app), await createUser(app)];
});
const merge = () => app.call("mergeAccounts { id }", { keptId: kept.id, mergedId: merged.id }, admin);

test("merging two accounts makes open forms of the account that received blocked machines out of date", async () => {
  await blockMachine(app, merged, "OLD-LAPTOP");
  const listRevisions = async () => {
    const sql = "select revision from users where id = any($1) order by array_position($1, id)";
    return (await pool.query(sql, [[kept.id, merged.id]])).rows.map(({ revision }) => revision);
  };
  const { id } = await merge();
  expect(await listRevisions()).toEqual([2, 1]);
  // The same machine is blocked for the merged account in the meantime.
  await blockMachine(app, merged, "OLD-LAPTOP");
  await app.call("undoMerge { id }", { id }, admin);
  expect(await listRevisions()).toEqual([2, 2]);
});

test("refuses accounts that together block more machines than one account can", async () => {
  const block = (user: User, from: number, to: number) =>
    pool.query(
      `insert into blocked_machines (id, user_id, machine_name, compared_name, blocked_at)
       select gen_random_uuid(), $1::uuid, 'PC-' || n, 'pc-' || n, now() from generate_series($2::int, $3::int) n`,
      [user.id, from, to],
    );
  await block(kept, 1, 300);
  await block(merged, 300, 501);
  await expect(merge()).rejects.toMatchObject({
    code: "CONFLICT",
    message: "Together, the accounts block 501 machines, and one account can block 500. Unblock some first.",
  });
  await pool.query("delete from blocked_machines where user_id = $1 and compared_name = 'pc-501'", [merged.id]);
  // One machine is blocked for both.
  await merge();
});

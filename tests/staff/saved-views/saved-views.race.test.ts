import { expect, test } from "vitest";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const send = await alternateProcesses(app);
const save = (token: string, name: string, isDefault = false) =>
  send(
    "POST",
    "/graphql",
    {
      query: "mutation ($input: SavedViewInput!) { saveView(input: $input) { id } }",
      variables: { input: { list: "USERS", name, isDefault } },
    },
    token,
  );

test("keeps exactly one default view when several are saved in two processes", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => save(token, `view ${index}`, true)));
    expect(answers.filter(({ json }) => (json as { errors?: unknown }).errors)).toEqual([]);
    const { rows } = await app.services.pool.query(
      "select count(*)::int as views, count(*) filter (where is_default)::int as defaults from saved_views where owner_id = $1",
      [admin.id],
    );
    expect(rows).toEqual([{ views: 10, defaults: 1 }]);
  }
});

test("saves at most 100 views per admin in two processes", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    await app.services.pool.query(
      `insert into saved_views (id, owner_id, list, name, parameters, is_default, created_at)
       select gen_random_uuid(), $1, 'users', 'old ' || n, '', false, now() from generate_series(1, 97) n`,
      [admin.id],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => save(token, `new ${index}`)));
    expect(answers.filter(({ json }) => (json as { errors?: unknown }).errors)).toHaveLength(7);
    const { rows } = await app.services.pool.query(
      "select count(*)::int as views from saved_views where owner_id = $1",
      [admin.id],
    );
    expect(rows).toEqual([{ views: 100 }]);
  }
});

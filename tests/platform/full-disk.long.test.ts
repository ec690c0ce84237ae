import { afterEach, beforeAll, expect, test } from "vitest";
import { createAccountCalls } from "#tests/factories/account.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { pool } = app.services;

const tables = ["contact_messages", "licence_events", "sessions", "comments"];

beforeAll(async () => {
  await pool.query(`create table broken (state text);
    create function fail_if_broken() returns boolean language plpgsql volatile as $$
    declare broken_state text := (select state from broken limit 1);
    begin
      if broken_state is not null then raise exception 'could not extend file "base/1/2": No space left on device'
        using errcode = broken_state, detail = 'secret-value'; end if;
      return true;
    end $$;
    create function fail_write() returns trigger language plpgsql as $$
    begin perform fail_if_broken(); return new; end $$;`);
  for (const table of tables)
    await pool.query(
      `create trigger broken before insert or update on ${table} for each row execute function fail_write()`,
    );
  // Reads can fail, too, for example a sort that needs a temporary file.
  await pool.query(`alter table plans rename to stored_plans;
    create view plans as select * from stored_plans where fail_if_broken()`);
});

afterEach(() => pool.query("truncate broken"));

const fillDisk = () => pool.query("insert into broken values ('53100')");

const message = {
  name: "Ada Byron",
  email: "ada@example.com",
  phone: "0400 000 000",
  message: "Do you sell to schools?",
};
const busy = "The service is temporarily unavailable. Please try again in a moment.";

test("returns 503 with Retry-After for a REST call while the disk is full, and works again afterwards", async () => {
  await fillDisk();
  const answer = await app.rest("POST", "/v1/contact-us/send", { body: message });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(answer.json).toMatchObject({ Message: busy });
  await pool.query("truncate broken");
  expect((await app.rest("POST", "/v1/contact-us/send", { body: message })).status).toBe(200);
});

test("returns UNAVAILABLE with status 503 for a mutation and a query while the disk is full", async () => {
  await fillDisk();
  const mutation = await app.graphql("sendContactMessage { message }", { input: message });
  expect(mutation).toMatchObject({ status: 503, errors: [{ message: busy, extensions: { code: "UNAVAILABLE" } }] });
  expect(await app.graphql("{ plans { name } }")).toMatchObject({
    status: 503,
    errors: [{ extensions: { code: "UNAVAILABLE", retryAfterSeconds: 5 } }],
  });
});

test("returns 503 for licence checks, sign-ins and changes by staff while the disk is full", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const device = await createDevice(app, licence);
  const admin = await signInAs(app, await createAdmin(app));
  await fillDisk();
  expect((await callAddinFrom(app, device, "validate", licence)).status).toBe(503);
  expect((await createAccountCalls(app).signIn(user.email)).status).toBe(503);
  const variables = { userId: user.id, comment: "Called back." };
  const comment = await app.graphql("addComment { id }", variables, admin);
  expect(comment.errors).toMatchObject([{ extensions: { code: "UNAVAILABLE" } }]);
});

import { expect, test } from "vitest";
import { loggedError } from "#api/platform/log.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("a failed statement is logged with its constraint and without its values", async () => {
  const twin = { email: "secret-address@example.com" };
  await createUser(app, twin);
  const fault = await createUser(app, twin).then(
    () => null,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Error);
  const logged = loggedError(fault);
  expect(logged).toMatchObject({ code: "23505", constraint: "users_sign_in_email_unique" });
  expect(logged.stack).toContain("at ");
  expect(JSON.stringify(logged)).not.toMatch(/secret-address|argon2|insert into/i);
});

test("a value in PostgreSQL's sentence is not logged", async () => {
  const fault = await app.services.pool.query("select $1::text::uuid", ["secret-value"]).then(
    () => null,
    (error: unknown) => error,
  );
  expect(JSON.stringify(loggedError(fault))).not.toContain("secret-value");
});

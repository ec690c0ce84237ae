import { beforeAll, describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { addLicenceEvents } from "#tests/factories/licence-events.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.context().em;
let admin: User;

beforeAll(async () => {
  admin = await createAdmin(app);
});

const runCommand = (...args: string[]) => runCommandOn(app, "erase-user", ...args);

test("erases the user with the given address, prints the certificate, and prints it again", {
  timeout: 60_000,
}, async () => {
  const user = await createUser(app, { firstName: "Winifred" });
  await addLicenceEvents(app, await createLicence(app, user), 500);
  const { code, output, errors } = await runCommand("--email", user.email.toUpperCase());
  expect([code, errors]).toEqual([0, ""]);
  const erasure = await em().findOneOrFail(Erasure, { user: user.id });
  expect(erasure).toMatchObject({ state: "done", requestedBy: "operator", requestedById: null });
  expect(output).toContain(`Certificate of erasure ${erasure.id}`);
  expect(output).toContain("Licence events: 501 anonymised");
  expect(output).not.toMatch(/Winifred|@/);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);

  const again = await runCommand("--email", user.email, "--json");
  expect([again.code, JSON.parse(again.output).id]).toEqual([0, erasure.id]);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);
});

test("continues an interrupted erasure", { timeout: 60_000 }, async () => {
  const user = await createUser(app);
  await addLicenceEvents(app, await createLicence(app, user), 500);
  const { id } = await requestErasure(app.context(), user.id, "customer");
  expect(await runErasure(app.context(), id, { rowsPerBatch: 50, maxMs: 0 })).toBe("more");
  const { code, output } = await runCommand("--email", user.email, "--json");
  expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ id, requestedBy: "customer" })]);
});

test("changes nothing in a dry run", { timeout: 60_000 }, async () => {
  const user = await createUser(app);
  const { code, output } = await runCommand("--email", user.email, "--dry-run", "--json");
  expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ userId: user.id, state: "active" })]);
  expect((await em().findOneOrFail(User, user.id)).deletedAt).toBeNull();
});

describe("exits with an error", () => {
  test.each([
    ["for an unknown address", ["--email", "nobody@example.com"], "No account has the address nobody@example.com."],
    ["without an address", [], "Required option '--email <address>' not specified"],
    ["for an unknown option", ["--email", "a@b.test", "--dry"], "Unknown option '--dry'"],
  ])("%s", { timeout: 60_000 }, async (_, args, message) => {
    const { code, output, errors } = await runCommand(...args);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toContain(message);
  });

  test("for the last active admin", { timeout: 60_000 }, async () => {
    const { code, errors } = await runCommand("--email", admin.email);
    expect([code, errors]).toEqual([1, "This is the last active admin. Give another user the admin type first.\n"]);
  });
});

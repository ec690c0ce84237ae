import { describe, expect, test } from "vitest";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const admin = await signInAs(app, await createAdmin(app));

describe("support code", () => {
  const bySupportCode = "query ($code: String!) { licenceBySupportCode(code: $code) { id supportCode } }";

  test("finds the licence for an admin, however the code is typed", async () => {
    const licence = await createLicence(app, user);
    const typed = ` ${licence.supportCode.toLowerCase().replace("-", " ")} `;
    expect((await app.graphql(bySupportCode, { code: typed }, admin)).data.licenceBySupportCode).toEqual({
      id: licence.id,
      supportCode: licence.supportCode,
    });
  });

  test("returns NOT_FOUND if unknown or malformed, and is forbidden for customers", async () => {
    for (const code of ["S-00000000", "", "S-' or 1=1", "\u0000"])
      expect((await app.graphql(bySupportCode, { code }, admin)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    const { supportCode } = await createLicence(app, user);
    expect((await app.graphql(bySupportCode, { code: supportCode }, token)).errors?.[0]?.extensions.code).toBe(
      "FORBIDDEN",
    );
  });

  test("finds the owner when pasted into the user search", async () => {
    const owner = await createUser(app);
    await createLicence(app, owner);
    const { supportCode } = await createLicence(app, owner);
    const { data } = await app.graphql(
      "query ($search: String!) { users(filter: { search: $search }) { total rows { id } } }",
      { search: ` ${supportCode.toLowerCase()}` },
      admin,
    );
    expect(data.users).toEqual({ total: 1, rows: [{ id: owner.id }] });
  });
});

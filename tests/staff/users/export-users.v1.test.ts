import { beforeAll, describe, expect, test } from "vitest";
import { vendorTimeName } from "#schema/days.ts";
import { userExportColumns } from "#schema/user-list.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { copyRow } from "#tests/support/copy-row.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
let admin: User;
let token = "";

beforeAll(async () => {
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
  await createUser(app, { firstName: "Ada", lastName: "Zuse", companyName: "Export Works", memberType: 2 });
  await createUser(app, { firstName: "=cmd()", lastName: 'Quote, "$1"', companyName: "Export Works" });
  const archived = { companyName: "Export Works", archivedAt: app.clock.now() };
  await createUser(app, { firstName: "Cy", lastName: "Élan", ...archived });
});

const exportUsers = (body: object) => app.rest("POST", "/v1/users/export", { body, token });
const names = { columns: ["firstName", "lastName"], search: "Export Works" };

describe("export of users", () => {
  test("contains exactly the users of the list, in its order, with the chosen columns", async () => {
    const { status, headers, text } = await exportUsers({ ...names, sortBy: "FIRST_NAME", descending: true });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toMatch(/filename="Users-\d{4}-\d\d-\d\d\.csv"/);
    expect(text).toBe(`First Name,Last Name\r\nCy,Élan\r\nAda,Zuse\r\n'=cmd(),"Quote, ""$1"""\r\n`);
    expect((await exportUsers({ ...names, includeArchived: false, sortBy: "LAST_NAME" })).text).toBe(
      `First Name,Last Name\r\n'=cmd(),"Quote, ""$1"""\r\nAda,Zuse\r\n`,
    );
    expect((await exportUsers({ ...names, userTypes: [2] })).text).toBe("First Name,Last Name\r\nAda,Zuse\r\n");
    expect((await exportUsers({ ...names, endDate: "2001-01-01" })).text).toBe("First Name,Last Name\r\n");
    const hostile = await exportUsers({ columns: ["id"], search: "x'); drop table users; -- $1 $2" });
    expect([hostile.status, hostile.text]).toEqual([200, "User ID\r\n"]);
  });

  test("contains the selected users, with all columns", async () => {
    const user = await createUser(app, { firstName: "Bo", lastName: "Chosen" });
    const { text } = await exportUsers({ userIds: [user.id], columns: [...userExportColumns] });
    const [header, row, ...rest] = text.trimEnd().split("\r\n");
    expect(header).toBe(
      `First Name,Last Name,Company,Email,Phone,User type,Date joined (${vendorTimeName}),Active,Email confirmed,User ID`,
    );
    expect(row).toMatch(/^Bo,Chosen,Analytical Planning,person.*,'\+61 400 000 000,Regular,20\d\d-.*\+10:00,Yes,Yes,/);
    expect(row).toContain(user.id);
    expect(rest).toEqual([]);
  });

  test("is recorded in the audit log with the number of users, without the search", async () => {
    await exportUsers({ ...names, sortBy: "EMAIL" });
    const { em } = app.context();
    const [entry] = await em.find(AuditEntry, { action: "export-users" }, { orderBy: { at: "desc" }, limit: 1 });
    expect(entry).toMatchObject({
      actorId: admin.id,
      subjectName: "Users",
      after: { users: 3, columns: ["firstName", "lastName"], sortBy: "EMAIL", isSearched: true, isSelected: false },
    });
    expect(JSON.stringify(entry?.after)).not.toContain("Works");
  });

  test("streams 1,000 users", async () => {
    await copyRow(app.services.pool, "users", {
      which: "where last_name = 'Zuse'",
      times: 1_000,
      differing: `'company_name', 'Crowd', 'last_name', 'N' || lpad(n::text, 5, '0'),
        'email', 'crowd' || n || '@example.com', 'sign_in_email', 'crowd' || n || '@example.com',
        'confirmation_handle', gen_random_uuid()`,
    });
    const { text } = await exportUsers({ search: "crowd", sortBy: "LAST_NAME", columns: ["lastName"] });
    const rows = text.trimEnd().split("\r\n").slice(1);
    expect(rows).toHaveLength(1_000);
    expect([rows[0], rows.at(-1)]).toEqual(["N00001", "N01000"]);
  });

  test("rejects unknown columns and an unknown order", async () => {
    const { status, json } = await exportUsers({ columns: ["password_hash"], sortBy: "PASSWORD", userIds: ["x"] });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(/Unknown column.*Unknown user|Unknown user.*Unknown column/);
  });
});

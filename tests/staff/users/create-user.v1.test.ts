import { beforeAll, describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, buildRegistration, signInAs, testPassword } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
let admin: User;
let token: string;

beforeAll(async () => {
  admin = await createAdmin(app, { firstName: "Grace", lastName: "Hopper" });
  token = await signInAs(app, admin);
});

const find = (id: string) => em().findOneOrFail(User, id);
const listAuditEntries = (id: string) => em().find(AuditEntry, { userId: id }, { orderBy: { at: "asc", id: "asc" } });
const details = async (id: string) => (await app.rest("GET", `/v1/users/${id}`, { token })).json;

describe("POST /v1/core/accounts/admin-create-user", () => {
  const create = (changes: Record<string, unknown> = {}) =>
    app.rest("POST", "/v1/core/accounts/admin-create-user", {
      token,
      body: { ...buildRegistration(), memberType: 2, ...changes },
    });

  test("creates an active, confirmed account that can sign in with the given password", async () => {
    const { email } = buildRegistration();
    const { status, json: id } = await create({ email, isTester: true, referrer: "Trade fair" });
    expect(status).toBe(200);
    expect(await find(id)).toMatchObject({
      memberType: 2,
      isTester: true,
      referrer: "Trade fair",
      annualDeactivationLimit: 3,
    });
    expect(await details(id)).toMatchObject({ isActive: true, emailConfirmed: true });
    const body = { ClientId: "portal", GrantType: "password", UserName: email, Password: testPassword };
    expect((await app.rest("POST", "/v1/core/auth/token", { body })).json.access_token).toBeTruthy();
  });

  test("emails the user a link to choose a password, without the given password", async () => {
    const { email } = buildRegistration();
    await create({ email });
    const [mail] = await listEmailsTo(app, email as string);
    expect(mail?.subject).toContain("account is ready");
    expect(`${mail?.text}${mail?.html}`).not.toContain(testPassword);
    const resetToken = /\?t=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    app.clock.setOffset(2 * 86_400_000);
    try {
      const chosen = "Critical-path-77";
      const body = { resetToken, password: chosen, confirmPassword: chosen };
      const { status } = await app.rest("POST", "/v1/core/accounts/password/reset", { body });
      expect(status).toBe(200);
    } finally {
      app.clock.setOffset(0);
    }
  });

  test("records an audit entry without the password", async () => {
    const { json: id } = await create({ firstName: "Mary" });
    const [entry] = await listAuditEntries(id);
    expect(entry).toMatchObject({ action: "create-user", subjectId: id, subjectName: "Mary Byron", before: null });
    expect(entry?.after).toMatchObject({ firstName: "Mary", memberType: 2 });
    expect(entry?.actorName).toBe(`Grace Hopper <${admin.email}>`);
    expect(JSON.stringify(entry)).not.toMatch(/assword|Planner-2024|argon/);
  });

  test("rejects an email address that has an account, ignoring case", async () => {
    const user = await createUser(app);
    const { status, json } = await create({ email: user.email.toUpperCase() });
    expect([status, json]).toEqual([400, { email: ["Another account has this email address."] }]);
  });

  test("creates one account from concurrent requests with the same address", async () => {
    const { email } = buildRegistration();
    const responses = await Promise.all([create({ email }), create({ email }), create({ email })]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(await listEmailsTo(app, email as string)).toHaveLength(1);
  });

  test("ignores fields that staff can't set", async () => {
    const { json: id } = await create({
      id: admin.id,
      revision: 99,
      archivedAt: "2020-01-01",
      twoStepSince: "2020-01-01",
    });
    expect(id).not.toBe(admin.id);
    expect(await find(id)).toMatchObject({ revision: 1, archivedAt: null, twoStepSince: null });
  });
});

import { expect, test, describe } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/device.entity.ts";
import { assertNotLastAdmin } from "#api/people/users/last-admin.ts";
import { User } from "#api/people/users/user.entity.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { MemberType } from "#schema/user.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser, signInAs, buildRegistration } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

const sortStatuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const oneWins = [200, 409, 409, 409, 409, 409];

describe("revisions", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const forms = [1, 2, 3, 4, 5, 6];

  test("saves one of six concurrent edits of the same revision of a contact, across two processes", async () => {
    const user = await createUser(app);
    const { id, firstName, lastName, email, contactType } = await createContact(app, user);
    const body = { userId: user.id, id, firstName, lastName, email, contactType };
    for (let round = 0; round < ROUNDS.of5; round++) {
      const { revision } = await em().findOneOrFail(Contact, id);
      const phones = forms.map((n) => `07 ${round}-${n}`);
      const answers = await Promise.all(
        phones.map((phone) => call("PUT", "/v1/users/contact", { ...body, phone, revision }, token)),
      );
      expect(sortStatuses(answers)).toEqual(oneWins);
      const phone = phones[answers.findIndex(({ status }) => status === 200)];
      expect(await em().findOneOrFail(Contact, id)).toMatchObject({ phone, revision: revision + 1 });
    }
    expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS.of5);
  });

  test("saves one of six concurrent edits of the same revision of a promo code, across two processes", async () => {
    const { id, code } = await createPromoCode(app);
    for (let round = 0; round < ROUNDS.of5; round++) {
      const { revision } = await em().findOneOrFail(PromoCode, id);
      const answers = await Promise.all(
        forms.map((n) =>
          call(
            "PUT",
            "/v1/promoCode",
            { id, code, discountType: 0, discountValue: (round % 2) * 10 + 20 + n, revision },
            token,
          ),
        ),
      );
      expect(sortStatuses(answers)).toEqual(oneWins);
      const won = forms[answers.findIndex(({ status }) => status === 200)] ?? 0;
      const basisPoints = ((round % 2) * 10 + 20 + won) * 100;
      expect(await em().findOneOrFail(PromoCode, id)).toMatchObject({ basisPoints, revision: revision + 1 });
    }
    expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS.of5);
  });
});

describe("admins", () => {
  const activeAdmins = () =>
    app.services.orm.em.fork().count(User, { memberType: 3, archivedAt: null, deletedAt: null });

  const archiveAll = () => app.services.pool.query("update users set archived_at = now() where member_type = 3");

  const archive = (id: string, token: string) => app.rest("PATCH", `/v1/users/${id}/archive`, { token });

  test("keeps one of two admins who archive each other concurrently", async () => {
    for (let round = 0; round < ROUNDS.of2; round++) {
      await archiveAll();
      const [one, other] = [await createAdmin(app), await createAdmin(app)];
      const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
      const answers = await Promise.all([archive(other.id, tokens[0]), archive(one.id, tokens[1])]);
      expect(await activeAdmins()).toBe(1);
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses[0]).toBe(200);
      expect([401, 409]).toContain(statuses[1]);
    }
  });

  test("rejects the request of an admin who has been archived in the meantime, even if other admins remain", async () => {
    for (let round = 0; round < ROUNDS.of2; round++) {
      await archiveAll();
      const [one, other] = [await createAdmin(app), await createAdmin(app), await createAdmin(app)];
      const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
      await Promise.all([archive(other.id, tokens[0]), archive(one.id, tokens[1])]);
      expect(await activeAdmins()).toBe(2);
    }
  });

  test("keeps one of two admins when one is demoted and the other archived concurrently", async () => {
    const demote = (id: string) =>
      app.services.orm.em.fork().transactional(async (em) => {
        await assertNotLastAdmin(em, id);
        await em.nativeUpdate(User, { id }, { memberType: 1 });
      });
    for (let round = 0; round < ROUNDS.of2; round++) {
      await archiveAll();
      const [one, other] = [await createAdmin(app), await createAdmin(app)];
      const token = await signInAs(app, one);
      await Promise.allSettled([archive(other.id, token), demote(one.id)]);
      expect(await activeAdmins()).toBe(1);
    }
  });

  test("keeps one of two owners who remove each other's role concurrently", async () => {
    const mutation = "mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { id } }";
    const { password: _, confirmPassword: __, ...details } = buildRegistration();
    const removeRole = ({ id, email }: User, token: string) => {
      const input = { ...details, email, memberType: "ADMIN", annualDeactivationLimit: 3, staffRoles: ["SUPPORT"] };
      return app.graphql(mutation, { id, input }, token);
    };
    for (let round = 0; round < ROUNDS.of2; round++) {
      await archiveAll();
      await createAdmin(app, { staffRoles: ["support"] });
      const [one, other] = [await createAdmin(app), await createAdmin(app, { staffRoles: ["owner"] })];
      const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
      const answers = await Promise.all([removeRole(other, tokens[0]), removeRole(one, tokens[1])]);
      expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      const { rows } = await app.services.pool.query(
        "select from users where member_type = 3 and archived_at is null and (staff_roles = '{}' or 'owner' = any(staff_roles))",
      );
      expect(rows).toHaveLength(1);
    }
  });

  test("archives a customer once for concurrent requests", async () => {
    const admin = await createAdmin(app);
    const token = await signInAs(app, admin);
    const customer = await createUser(app);
    const answers = await Promise.all(Array.from({ length: 8 }, () => archive(customer.id, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const { rows } = await app.services.pool.query("select from audit_entries where subject_id = $1", [customer.id]);
    expect(rows).toHaveLength(1);
  });
});

describe("users", () => {
  function putUser(token: string, user: User, changes: Record<string, unknown>) {
    const { password: _, confirmPassword: __, ...rest } = buildRegistration({ email: user.email });
    const body = { ...rest, id: user.id, memberType: user.memberType, annualDeactivationLimit: 3, ...changes };
    return call("PUT", "/v1/users/admin/update-user", body, token);
  }

  test("keeps one of two admins who demote each other concurrently, across two processes", async () => {
    for (let round = 0; round < ROUNDS.of5; round++) {
      await em().nativeUpdate(User, { memberType: MemberType.Admin }, { memberType: MemberType.Regular });
      const [one, other] = [await createAdmin(app), await createAdmin(app)];
      const [tokenOfOne, tokenOfOther] = [await signInAs(app, one), await signInAs(app, other)];
      const answers = await Promise.all([
        putUser(tokenOfOne, other, { memberType: MemberType.Regular }),
        putUser(tokenOfOther, one, { memberType: MemberType.Regular }),
      ]);
      // The second request is rejected to protect the last admin, or because its sender is no longer an admin.
      expect([
        [200, 403],
        [200, 409],
      ]).toContainEqual(sortStatuses(answers));
      expect(await em().count(User, { memberType: MemberType.Admin })).toBe(1);
    }
  });

  test("saves one of six concurrent edits of the same revision, across two processes", async () => {
    const token = await signInAs(app, await createAdmin(app));
    const user = await createUser(app);
    for (let round = 0; round < ROUNDS.of5; round++) {
      const { revision } = await em().findOneOrFail(User, user.id);
      const names = Array.from({ length: 6 }, (_, n) => `Name ${round}-${n}`);
      const answers = await Promise.all(names.map((companyName) => putUser(token, user, { companyName, revision })));
      expect(sortStatuses(answers)).toEqual(oneWins);
      const stored = await em().findOneOrFail(User, user.id);
      expect(stored.revision).toBe(revision + 1);
      expect(stored.companyName).toBe(names[answers.findIndex(({ status }) => status === 200)]);
    }
    expect(await em().count(AuditEntry, { userId: user.id })).toBe(ROUNDS.of5);
  });

  test("blocks a machine once for concurrent requests without a revision, across two processes", async () => {
    const token = await signInAs(app, await createAdmin(app));
    const user = await createUser(app);
    for (let round = 0; round < ROUNDS.of5; round++) {
      const list = (name: string) => ({ blockedMachines: [{ machineName: name }] });
      const name = `BNE-${round}`;
      const answers = await Promise.all([name, name.toLowerCase(), name].map((one) => putUser(token, user, list(one))));
      expect(sortStatuses(answers)).toEqual([200, 200, 200]);
      const blockedMachines = await em().find(BlockedMachine, { user: user.id });
      expect(blockedMachines.map(({ comparedName }) => comparedName)).toEqual([name.toLowerCase()]);
    }
  });
});

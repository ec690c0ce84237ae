import { describe, expect, test } from "vitest";
import { createContext } from "#api/platform/context.ts";
import { restoreContact } from "#api/staff/contacts/contact-changes.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const admin = await createAdmin(app);
const token = await signInAs(app, admin);
const user = await createUser(app);
const findRow = async (id: string) =>
  (await app.services.pool.query("select * from contacts where id = $1", [id])).rows[0];
const call = (name: "deleteContact" | "restoreContact", id: string, userId = user.id) =>
  app.graphql(
    `mutation ($userId: ID!, $id: ID!) { ${name}(userId: $userId, id: $id) ${name === "restoreContact" ? "{ id }" : ""} }`,
    { userId, id },
    token,
  );
const getCode = ({ errors }: Awaited<ReturnType<typeof call>>) => errors?.[0]?.extensions.code;

describe("restoreContact", () => {
  test("restores every column of a deleted contact, and records it", async () => {
    const { id } = await createContact(app, user, {
      contactType: 2,
      revision: 4,
      addedAt: new Date("2024-02-03T04:05:06.789Z"),
    });
    const before = await findRow(id);
    await call("deleteContact", id);
    expect(await findRow(id)).toBeUndefined();
    expect((await call("restoreContact", id)).data).toEqual({ restoreContact: { id } });
    expect(await findRow(id)).toEqual(before);
    expect((await listAuditEntries(app, id)).map(({ action }) => action)).toEqual([
      "delete-contact",
      "restore-contact",
    ]);
  });

  test("returns a contact that exists unchanged", async () => {
    const { id } = await createContact(app, user);
    await call("deleteContact", id);
    await call("restoreContact", id);
    expect((await call("restoreContact", id)).errors).toBeUndefined();
    expect(await listAuditEntries(app, id)).toHaveLength(2);
  });

  test("restores the values of the latest of several deletions", async () => {
    const { id } = await createContact(app, user, { phone: "1" });
    await call("deleteContact", id);
    await call("restoreContact", id);
    await app.services.orm.em.fork().nativeUpdate(Contact, id, { phone: "2" });
    app.clock.setOffset(1_000);
    await call("deleteContact", id);
    await call("restoreContact", id);
    app.clock.setOffset(0);
    expect((await findRow(id)).phone).toBe("2");
  });

  test("refuses after ten minutes", async () => {
    const { id } = await createContact(app, user);
    await call("deleteContact", id);
    const later = {
      ...app.services,
      clock: { ...app.clock, now: () => new Date(app.clock.now().getTime() + 601_000) },
    };
    const actor = { userId: admin.id, sessionId: admin.id, role: "admin" } as const;
    await expect(restoreContact(createContext(later, { actor }), user.id, id)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(await findRow(id)).toBeUndefined();
  });

  test("refuses a contact that was never deleted, or of another user", async () => {
    const { id } = await createContact(app, user);
    await call("deleteContact", id);
    expect(getCode(await call("restoreContact", user.id))).toBe("NOT_FOUND");
    expect(getCode(await call("restoreContact", id, (await createUser(app)).id))).toBe("NOT_FOUND");
  });

  test("restores a contact once under concurrent calls in two processes", async () => {
    const processes = [app.services, await openSecondProcess(app)];
    const actor = { userId: admin.id, sessionId: admin.id, role: "admin" } as const;
    for (let round = 0; round < 5; round++) {
      const { id } = await createContact(app, user);
      await call("deleteContact", id);
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          restoreContact(createContext(processes[n % 2] ?? app.services, { actor }), user.id, id),
        ),
      );
      expect((await listAuditEntries(app, id)).filter(({ action }) => action === "restore-contact")).toHaveLength(1);
    }
  });
});

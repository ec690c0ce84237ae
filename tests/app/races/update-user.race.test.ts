import { expect, test } from "vitest";
import { MemberType } from "#schema/catalogue.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, buildRegistration, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const ROUNDS = 15;
const em = () => app.services.orm.em.fork();

function putUser(token: string, user: User, changes: Record<string, unknown>) {
  const { password: _, confirmPassword: __, ...rest } = buildRegistration({ email: user.email });
  const body = { ...rest, id: user.id, memberType: user.memberType, annualDeactivationLimit: 3, ...changes };
  return call("PUT", "/v1/users/admin/update-user", body, token);
}

const sortStatuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

test("keeps one of two admins who demote each other concurrently, across two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
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
}, 120_000);

test("saves one of six concurrent edits of the same revision, across two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const { revision } = await em().findOneOrFail(User, user.id);
    const names = Array.from({ length: 6 }, (_, n) => `Name ${round}-${n}`);
    const answers = await Promise.all(names.map((companyName) => putUser(token, user, { companyName, revision })));
    expect(sortStatuses(answers)).toEqual([200, 409, 409, 409, 409, 409]);
    const stored = await em().findOneOrFail(User, user.id);
    expect(stored.revision).toBe(revision + 1);
    expect(stored.companyName).toBe(names[answers.findIndex(({ status }) => status === 200)]);
  }
  expect(await em().count(AuditEntry, { userId: user.id })).toBe(ROUNDS);
}, 120_000);

test("blocks a machine once for concurrent requests without a revision, across two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const list = (name: string) => ({ blockedMachines: [{ machineName: name }] });
    const name = `BNE-${round}`;
    const answers = await Promise.all([name, name.toLowerCase(), name].map((one) => putUser(token, user, list(one))));
    expect(sortStatuses(answers)).toEqual([200, 200, 200]);
    const blockedMachines = await em().find(BlockedMachine, { user: user.id });
    expect(blockedMachines.map(({ comparedName }) => comparedName)).toEqual([name.toLowerCase()]);
  }
}, 120_000);

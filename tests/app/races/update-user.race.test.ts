import { expect, test } from "vitest";
import { MemberType } from "#schema/catalogue.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, registration, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { besideAnother } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await besideAnother(app);
const ROUNDS = 15;
const em = () => app.services.orm.em.fork();

function put(token: string, user: User, changes: Record<string, unknown>) {
  const { password: _, confirmPassword: __, ...rest } = registration({ email: user.email });
  const body = { ...rest, id: user.id, memberType: user.memberType, annualDeactivationLimit: 3, ...changes };
  return call("PUT", "/v1/users/admin/update-user", body, token);
}

const sorted = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

test("of two admins who demote each other at once one stays, 15 rounds, two processes", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await em().nativeUpdate(User, { memberType: MemberType.Admin }, { memberType: MemberType.Regular });
    const [one, other] = [await createAdmin(app), await createAdmin(app)];
    const [tokenOfOne, tokenOfOther] = [await signInAs(app, one), await signInAs(app, other)];
    const answers = await Promise.all([
      put(tokenOfOne, other, { memberType: MemberType.Regular }),
      put(tokenOfOther, one, { memberType: MemberType.Regular }),
    ]);
    // The second one is refused as the last admin, or came as an admin no longer.
    expect([
      [200, 403],
      [200, 409],
    ]).toContainEqual(sorted(answers));
    expect(await em().count(User, { memberType: MemberType.Admin })).toBe(1);
  }
}, 120_000);

test("of six forms that began at one revision one is saved, 15 rounds, two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const { revision } = await em().findOneOrFail(User, user.id);
    const names = Array.from({ length: 6 }, (_, n) => `Name ${round}-${n}`);
    const answers = await Promise.all(names.map((companyName) => put(token, user, { companyName, revision })));
    expect(sorted(answers)).toEqual([200, 409, 409, 409, 409, 409]);
    const stored = await em().findOneOrFail(User, user.id);
    expect(stored.revision).toBe(revision + 1);
    expect(stored.companyName).toBe(names[answers.findIndex(({ status }) => status === 200)]);
  }
  expect(await em().count(AuditEntry, { userId: user.id })).toBe(ROUNDS);
}, 120_000);

test("blocking the same machine at once, without a revision, leaves it once, 15 rounds, two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS; round++) {
    const list = (name: string) => ({ blockedMachines: [{ machineName: name }] });
    const name = `BNE-${round}`;
    const answers = await Promise.all([name, name.toLowerCase(), name].map((one) => put(token, user, list(one))));
    expect(sorted(answers)).toEqual([200, 200, 200]);
    const blockedMachines = await em().find(BlockedMachine, { user: user.id });
    expect(blockedMachines.map(({ comparedName }) => comparedName)).toEqual([name.toLowerCase()]);
  }
}, 120_000);

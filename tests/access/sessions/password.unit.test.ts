import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "#api/access/sessions/password.ts";

test("stores passwords as Argon2id with the cost that OWASP recommends", async () => {
  const stored = await hashPassword("Planner-tasks-47");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect([await verifyPassword(stored, "Planner-tasks-47"), await verifyPassword(stored, "Planner-tasks-48")]).toEqual([
    true,
    false,
  ]);
});

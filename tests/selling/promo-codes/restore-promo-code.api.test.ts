import { expect, test } from "vitest";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const findRow = async (id: string) =>
  (await app.services.pool.query("select * from promo_codes where id = $1", [id])).rows[0];
const remove = (id: string) => app.graphql("mutation ($id: ID!) { deletePromoCode(id: $id) }", { id }, admin);
const restore = (id: string) =>
  app.graphql("mutation ($id: ID!) { restorePromoCode(id: $id) { id timesUsed isExpired } }", { id }, admin);

test("restores a deleted promo code exactly, once, and records it", async () => {
  const { id } = await createPromoCode(app, { isOneTimeUseOnly: true, revision: 3 });
  const before = await findRow(id);
  await remove(id);
  expect((await restore(id)).data.restorePromoCode).toEqual({ id, timesUsed: 0, isExpired: false });
  expect(await findRow(id)).toEqual(before);
  expect((await restore(id)).errors).toBeUndefined();
  const actions = (await listAuditEntries(app, id)).map(({ action }) => action);
  expect(actions).toEqual(["delete-promo-code", "restore-promo-code"]);
});

test("returns CONFLICT if a new code has the same text, and NOT_FOUND for an unknown id", async () => {
  const { id } = await createPromoCode(app, { code: "Twice" });
  await remove(id);
  await createPromoCode(app, { code: "TWICE" });
  expect((await restore(id)).errors?.[0]?.extensions.code).toBe("CONFLICT");
  expect((await findRow(id)).archived_at).not.toBeNull();
  for (const unknown of ["00000000-0000-4000-8000-000000000000", "x"])
    expect((await restore(unknown)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

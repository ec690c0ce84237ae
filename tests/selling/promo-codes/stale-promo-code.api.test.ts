import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { PromoCode } from "#api/selling/promo-codes/promo-code.entity.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
const mary = await signInAs(app, await createAdmin(app));
const find = (id: string) => app.services.orm.em.fork().findOneOrFail(PromoCode, id);

const mutation = `mutation ($id: ID!, $input: PromoCodeInput!, $revision: Int) {
  updatePromoCode(id: $id, input: $input, revision: $revision) { basisPoints revision } }`;
const since = "query ($id: ID!) { promoCodeChanges(id: $id, since: 1) { actorName fields } }";

function update(token: string, { id, code }: PromoCode, discountValue: string, revision?: number) {
  return app.graphql(mutation, { id, revision, input: { code, discountType: 0, discountValue } }, token);
}

test("rejects an outdated form, names the other admin and the changed field, and overwrites nothing", async () => {
  const promoCode = await createPromoCode(app);
  const { id } = promoCode;
  expect((await update(grace, promoCode, "20", 1)).data.updatePromoCode).toEqual({ basisPoints: 2_000, revision: 2 });
  const late = await update(mary, promoCode, "30", 1);
  expect(late.errors?.[0]).toMatchObject({ extensions: { code: "CONFLICT", reason: "STALE_REVISION" } });
  expect(late.errors?.[0]?.message).toMatch(
    /^This promo code was changed in the meantime. Grace Hopper <.*> changed basisPoints .+ Please reload/,
  );
  expect(await find(id)).toMatchObject({ basisPoints: 2_000, revision: 2 });
  expect((await app.graphql(since, { id }, mary)).data.promoCodeChanges).toEqual([
    { actorName: expect.stringContaining("Grace Hopper"), fields: ["basisPoints"] },
  ]);
  expect((await update(mary, promoCode, "30", 2)).data.updatePromoCode.revision).toBe(3);
});

test("creates no revision and no audit entry for an unchanged code", async () => {
  const promoCode = await createPromoCode(app);
  expect((await update(grace, promoCode, "10", 1)).data.updatePromoCode.revision).toBe(1);
  expect(await listAuditEntries(app, promoCode.id)).toEqual([]);
});

test("returns 409 for an outdated revision over REST, and lets the last write win without one", async () => {
  const { id, code } = await createPromoCode(app);
  const put = (changes: object) =>
    app.rest("PUT", "/v1/promoCode", { token: mary, body: { id, code, discountType: 0, ...changes } });
  expect((await put({ discountValue: 20, revision: 1 })).status).toBe(200);
  const refused = await put({ discountValue: 30, revision: 1 });
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("changed in the meantime")]);
  expect((await put({ discountValue: 30, revision: "soon" })).json).toEqual({ revision: ["Must be a number."] });
  expect((await put({ discountValue: 40 })).status).toBe(200);
  expect(await find(id)).toMatchObject({ basisPoints: 4_000, revision: 3 });
});

test("returns NOT_FOUND for changes to an unknown or deleted code", async () => {
  const gone = await createPromoCode(app, { archivedAt: app.clock.now() });
  for (const id of [randomUUID(), gone.id, "'; drop table promo_codes; --"])
    expect((await app.graphql(since, { id }, grace)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});

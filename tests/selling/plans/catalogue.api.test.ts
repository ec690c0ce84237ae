import { expect, test } from "vitest";
import { planCatalogue, planPriceId } from "#schema/plan-catalogue.ts";
import { findPlanPrice } from "#api/selling/plans/find-plan-price.ts";
import { Plan } from "#api/selling/plans/plan.entity.ts";
import { PlanPrice } from "#api/selling/plans/plan-price.entity.ts";
import { upsertCatalogue } from "#api/selling/plans/upsert-catalogue.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.context().em;

async function stored() {
  const plans = await em().find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "asc" } });
  return plans.map(({ slug, name, productLevel, retiring, prices }) => ({
    slug,
    name,
    productLevel,
    retiring,
    prices: Object.fromEntries(
      prices.getItems().map((price) => [price.interval, { audCents: price.audCents, usdCents: price.usdCents }]),
    ),
  }));
}

const quoteOf = (planPriceId: string, token: string) =>
  app.graphql(
    "query ($planPriceId: ID!) { priceQuote(planPriceId: $planPriceId) { planPriceId amountCents gstCents totalCents } }",
    { planPriceId },
    token,
  );

test("a migrated database sells what the catalogue says: three plans, six prices", async () => {
  expect(await stored()).toEqual(planCatalogue);
  expect(await em().count(PlanPrice)).toBe(6);
});

test("bringing the catalogue up again changes nothing, keeps what is off sale, and mends what differs", async () => {
  await em().nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: false, name: "Old name" });
  await em().nativeUpdate(PlanPrice, { id: "xer-plus-yearly" }, { audCents: 1 });
  await upsertCatalogue(em());
  await upsertCatalogue(em());
  expect(await stored()).toEqual(planCatalogue);
  expect((await em().findOneOrFail(Plan, { slug: "xer-plus" })).sellable).toBe(false);
  await em().nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: true });
});

test("a plan that the catalogue no longer knows is taken off sale and stays", async () => {
  const tx = em();
  tx.create(Plan, { slug: "xer-ancient", name: "Ancient", productLevel: 0, retiring: true });
  await tx.flush();
  await upsertCatalogue(em());
  expect((await em().findOneOrFail(Plan, { slug: "xer-ancient" })).sellable).toBe(false);
  await em().nativeDelete(Plan, { slug: "xer-ancient" });
});

test.each([
  ["xer-professional-yearly", "xer-professional-yearly"],
  ["xer-professional", "xer-professional-monthly"],
  [" XER-Plus-Monthly ", "xer-plus-monthly"],
  ["xer-gold", undefined],
  ["", undefined],
])("'%s' means the price %s", async (asked, expected) => {
  const price = await findPlanPrice(em(), asked);
  expect(price?.id).toBe(expected);
  if (expected) expect(price?.plan.name).toBeTruthy();
});

test("everybody sees the plans on sale, the flagship first, each with its monthly price first", async () => {
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  const { data } = await app.graphql("{ plans { slug retiring prices { id interval audCents usdCents } } }");
  expect(data.plans.map((plan: { slug: string }) => plan.slug)).toEqual(["xer-professional", "xer-plus"]);
  expect(data.plans[0].prices).toEqual([
    { id: "xer-professional-monthly", interval: "monthly", audCents: 14_995, usdCents: 9_995 },
    { id: "xer-professional-yearly", interval: "yearly", audCents: 142_400, usdCents: 94_900 },
  ]);
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
});

test("a quote is what the card is charged: with GST in Australia, without elsewhere", async () => {
  const here = await signInAs(app, await createUser(app));
  const abroad = await signInAs(app, await createUser(app, { country: "New Zealand" }));
  const id = planPriceId("xer-professional", "yearly");
  expect((await quoteOf(id, here)).data.priceQuote).toEqual({
    planPriceId: id,
    amountCents: 142_400,
    gstCents: 14_240,
    totalCents: 156_640,
  });
  expect((await quoteOf(id, abroad)).data.priceQuote).toMatchObject({ gstCents: 0, totalCents: 142_400 });
});

test("there is no quote for what is unknown or off sale", async () => {
  const token = await signInAs(app, await createUser(app));
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  for (const id of ["xer-gold", "xer-standard-monthly"])
    expect((await quoteOf(id, token)).errors?.[0]?.extensions).toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { planPriceId: ["Sorry, that subscription level is not on sale."] },
    });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
});

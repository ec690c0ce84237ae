import { expect, test } from "vitest";
import { planCatalogue, buildPlanPriceId } from "#schema/plan-catalogue.ts";
import { findPlanPrice, Plan, PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { upsertCatalogue } from "#api/billing/plans/sync-catalogue.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.context().em;

async function loadStoredPlans() {
  const plans = await em().find(Plan, {}, { populate: ["prices"], orderBy: { productLevel: "asc" } });
  return plans.map(({ slug, name, productLevel, retiring, prices }) => {
    const list = prices.getItems().map(({ interval, audCents, usdCents }) => [interval, { audCents, usdCents }]);
    return { slug, name, productLevel, retiring, prices: Object.fromEntries(list) };
  });
}

const getQuote = (planPriceId: string, token: string) =>
  app.call("priceQuote { planPriceId amountCents gstCents totalCents }", { planPriceId }, token);

test("fills a migrated database, restores differing values, and takes plans off sale that it doesn't have", async () => {
  expect([await loadStoredPlans(), await em().count(PlanPrice)]).toEqual([planCatalogue, 6]);
  const tx = em();
  tx.create(Plan, { slug: "xer-ancient", name: "Ancient", productLevel: 0, retiring: true });
  await tx.flush();
  await tx.nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: false, name: "Old name" });
  await tx.nativeUpdate(PlanPrice, { id: "xer-plus-yearly" }, { audCents: 1 });
  await upsertCatalogue(app.context());
  await upsertCatalogue(app.context());
  const offSale = await em().find(Plan, { sellable: false }, { orderBy: { slug: "asc" } });
  expect(offSale.map(({ slug }) => slug)).toEqual(["xer-ancient", "xer-plus"]);
  await em().nativeDelete(Plan, { slug: "xer-ancient" });
  expect(await loadStoredPlans()).toEqual(planCatalogue);
  await em().nativeUpdate(Plan, { slug: "xer-plus" }, { sellable: true });
});

test("finds a price by its id, and the monthly price by the plan's slug", async () => {
  const find = async (id: string) => (await findPlanPrice(em(), id))?.id;
  expect(await find("xer-professional-yearly")).toBe("xer-professional-yearly");
  expect(await find("xer-professional")).toBe("xer-professional-monthly");
  expect(await find(" XER-Plus-Monthly ")).toBe("xer-plus-monthly");
  for (const unknown of ["xer-gold", ""]) expect(await find(unknown)).toBeUndefined();
});

test("lists the plans on sale to visitors, the flagship first, monthly prices before yearly ones", async () => {
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  const prices = [
    { id: "xer-professional-monthly", interval: "MONTHLY", audCents: 14_995, usdCents: 9_995 },
    { id: "xer-professional-yearly", interval: "YEARLY", audCents: 142_400, usdCents: 94_900 },
  ];
  expect(await app.call("plans { slug prices { id interval audCents usdCents } }")).toEqual([
    { slug: "xer-professional", prices },
    { slug: "xer-plus", prices: expect.anything() },
  ]);
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
});

test("quotes the amount charged for a plan on sale, with GST in Australia and without elsewhere", async () => {
  const here = await signInAs(app, await createUser(app));
  const abroad = await signInAs(app, await createUser(app, { country: "New Zealand" }));
  const id = buildPlanPriceId("xer-professional", "yearly");
  const amounts = { amountCents: 142_400, gstCents: 14_240, totalCents: 156_640 };
  expect(await getQuote(id, here)).toEqual({ planPriceId: id, ...amounts });
  expect(await getQuote(id, abroad)).toMatchObject({ gstCents: 0, totalCents: 142_400 });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: false });
  for (const wrong of ["xer-gold", "xer-standard-monthly"])
    await expect(getQuote(wrong, here)).rejects.toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { planPriceId: ["Sorry, that subscription level is not on sale."] },
    });
  await em().nativeUpdate(Plan, { slug: "xer-standard" }, { sellable: true });
});

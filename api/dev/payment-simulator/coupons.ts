import { requireUnusedId } from "./catalogue.ts";
import { invalid } from "./errors.ts";
import { createId } from "./identifiers.ts";
import type { Coupon } from "./provider-objects.ts";
import { decimal, metadata, enumeration, range, text, integer } from "./parameters.ts";
import { defineListRoute, mergeMetadata, defineGetRoute, defineRoute } from "./routes.ts";

export const couponRoutes = [
  defineRoute(
    "POST",
    "/v1/coupons",
    {
      id: text,
      name: text,
      percent_off: decimal,
      amount_off: integer,
      currency: text,
      duration: enumeration("once", "forever", "repeating"),
      duration_in_months: integer,
      max_redemptions: integer,
      redeem_by: integer,
      metadata,
    },
    async (tx, { params }) => {
      await requireUnusedId(tx, "Coupon", params.id);
      if ((params.percent_off === undefined) === (params.amount_off === undefined))
        throw invalid("You must provide either percent_off or amount_off, and not both.", "percent_off");
      if (params.percent_off !== undefined && (params.percent_off <= 0 || params.percent_off > 100))
        throw invalid("percent_off must be greater than 0 and at most 100.", "percent_off");
      if (params.amount_off !== undefined && (params.amount_off < 1 || !params.currency))
        throw invalid("amount_off must be positive and requires a currency.", "currency");
      if ((params.duration === "repeating") !== (params.duration_in_months !== undefined))
        throw invalid(
          "duration_in_months is required with duration=repeating and not allowed otherwise.",
          "duration_in_months",
        );
      const coupon = tx.save<Coupon>({
        id: params.id ?? createId("cpn"),
        object: "coupon",
        created: await tx.now(),
        livemode: false,
        amount_off: params.amount_off ?? null,
        currency: params.currency?.toLowerCase() ?? null,
        duration: params.duration ?? "once",
        duration_in_months: params.duration_in_months ?? null,
        max_redemptions: params.max_redemptions ?? null,
        name: params.name ?? null,
        percent_off: params.percent_off ?? null,
        redeem_by: params.redeem_by ?? null,
        times_redeemed: 0,
        valid: true,
        metadata: params.metadata ?? {},
      });
      await tx.emit("coupon.created", coupon);
      return coupon;
    },
  ),
  defineRoute("POST", "/v1/coupons/:id", { name: text, metadata }, async (tx, { id, params }) => {
    const coupon = await tx.get("coupon", id);
    if (params.name !== undefined) coupon.name = params.name || null;
    coupon.metadata = mergeMetadata(coupon.metadata, params.metadata);
    await tx.emit("coupon.updated", tx.save(coupon));
    return coupon;
  }),
  defineGetRoute("/v1/coupons", "coupon"),
  defineRoute("DELETE", "/v1/coupons/:id", {}, async (tx, { id }) => {
    const coupon = await tx.get("coupon", id);
    await tx.emit("coupon.deleted", coupon);
    coupon.deleted = true;
    tx.save(coupon);
    return { id, object: "coupon", deleted: true };
  }),
  defineListRoute("/v1/coupons", "coupon", { created: range }),
];

import { requireUnusedId } from "./catalogue.ts";
import { invalid } from "./errors.ts";
import { newId } from "./identifiers.ts";
import type { Coupon } from "./provider-objects.ts";
import { decimal, metadata, enumeration, range, text, whole } from "./parameters.ts";
import { listing, mergedMetadata, retrieval, route } from "./routes.ts";

/** Calls about coupons. */
export const couponRoutes = [
  route(
    "POST",
    "/v1/coupons",
    {
      id: text,
      name: text,
      percent_off: decimal,
      amount_off: whole,
      currency: text,
      duration: enumeration("once", "forever", "repeating"),
      duration_in_months: whole,
      max_redemptions: whole,
      redeem_by: whole,
      metadata,
    },
    async (tx, { params }) => {
      await requireUnusedId(tx, "Coupon", params.id);
      if ((params.percent_off === undefined) === (params.amount_off === undefined))
        throw invalid("You must provide either percent_off or amount_off, and not both.", "percent_off");
      if (params.percent_off !== undefined && (params.percent_off <= 0 || params.percent_off > 100))
        throw invalid("Coupons' percent_off must be above 0 and at most 100.", "percent_off");
      if (params.amount_off !== undefined && (params.amount_off < 1 || !params.currency))
        throw invalid("You must pass a positive amount_off with its currency.", "currency");
      if ((params.duration === "repeating") !== (params.duration_in_months !== undefined))
        throw invalid("duration_in_months goes with duration=repeating.", "duration_in_months");
      const coupon = tx.save<Coupon>({
        id: params.id ?? newId("cpn"),
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
  route("POST", "/v1/coupons/:id", { name: text, metadata }, async (tx, { id, params }) => {
    const coupon = await tx.get("coupon", id);
    if (params.name !== undefined) coupon.name = params.name || null;
    coupon.metadata = mergedMetadata(coupon.metadata, params.metadata);
    await tx.emit("coupon.updated", tx.save(coupon));
    return coupon;
  }),
  retrieval("/v1/coupons", "coupon"),
  route("DELETE", "/v1/coupons/:id", {}, async (tx, { id }) => {
    const coupon = await tx.get("coupon", id);
    await tx.emit("coupon.deleted", coupon);
    coupon.deleted = true;
    tx.save(coupon);
    return { id, object: "coupon", deleted: true };
  }),
  listing("/v1/coupons", "coupon", { created: range }),
];

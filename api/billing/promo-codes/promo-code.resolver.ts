import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import {
  applyPromoCodeRules,
  type ApplyPromoCodeValues,
  promoCodeRules,
  type PromoCodeValues,
  changedPromoCodeRules,
  promoCodeFields,
  validatePromoCodeRules,
  discountTypes,
} from "#schema/promo-code.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { StaffChange } from "#api/audit/change-log/changes-since.ts";
import { PlanPrice } from "#api/billing/plans/plan.entity.ts";
import { PriceQuote } from "#api/billing/plans/plan.resolver.ts";
import { applyPromoCode, validatePromoCode } from "./apply-promo-code.ts";
import {
  listPromoCodes,
  addPromoCode,
  deletePromoCode,
  listPromoCodeChanges,
  restorePromoCode,
  updatePromoCode,
} from "./edit-promo-codes.ts";
import { PromoCode } from "./promo-code.entity.ts";
import { Allow, DeletedObject, toDeletedObject } from "#api/platform/graphql/declare.ts";
import { Type, type Static } from "typebox";
import { getExample } from "#schema/field.ts";
import {
  catalogueNumber,
  cents,
  describedText,
  flag,
  id,
  namedObject,
  routesOf,
  text,
} from "#api/platform/http/define-route.ts";
import { exampleIds, param } from "#api/platform/http/route-examples.ts";

const ApplyPromoCodeInput = createInput("ApplyPromoCodeInput", applyPromoCodeRules, {
  description: "A promo code and the plan price to apply it to.",
  fields: { planPriceId: { type: ID }, promoCode: "Not case-sensitive." },
});

const PromoCodeInput = createInput("PromoCodeInput", promoCodeRules, {
  description: "Values of a promo code.",
  fields: {
    code: "At most 50 characters. Not case-sensitive.",
    discountValue: "Percentage such as 12.5, or an amount in dollars such as 50 or A$50.00.",
    startDate: {
      description:
        "ISO 8601. A date without a time starts in the vendor's time zone. Null if the code can be used at once.",
      nullable: true,
    },
    expiryDate: {
      description:
        "ISO 8601. A date without a time includes that day in the vendor's time zone. Null if the code never expires.",
      nullable: true,
    },
    isOneTimeUseOnly: "Whether the code can be redeemed only once across all users.",
    planPriceIds: { type: ID, description: "Plan prices that the code is for. Empty means all of them." },
    maximumRedemptions: {
      description: "How often the code can be redeemed across all users. Null if there is no maximum.",
      nullable: true,
    },
  },
});

const loadPlanPrice = createRowLoader<PlanPrice>(PlanPrice);

@Resolver(() => PromoCode)
export class PromoCodeResolver {
  // This is a mutation although it changes nothing, because a request may contain only one mutation, which limits the
  // guessing of codes.
  @Allow("regular", { scope: "session" })
  @Mutation(() => PriceQuote, {
    description: "The price of a plan for the caller with a promo code. Doesn't reserve or redeem the code.",
  })
  async applyPromoCode(
    @CheckedArg("input", ApplyPromoCodeInput) input: ApplyPromoCodeValues,
    @Ctx() context: Context,
  ): Promise<PriceQuote> {
    return applyPromoCode(context, input);
  }

  @Allow("admin", { roles: customerStaff, scope: "promo-codes:read" })
  @Query(() => [PromoCode], { description: "All promo codes that aren't deleted, newest first." })
  async promoCodes(@Ctx() context: Context): Promise<PromoCode[]> {
    return listPromoCodes(context);
  }

  @Allow("admin", { roles: customerStaff, scope: "promo-codes:read" })
  @FieldResolver(() => [PlanPrice], { description: "Plan prices that the code is for. Empty means all of them." })
  async planPrices(@Root() { planPriceIds }: PromoCode, @Ctx() context: Context): Promise<PlanPrice[]> {
    const prices = await Promise.all(planPriceIds.map((id) => loadPlanPrice(context, id)));
    return prices.filter((price) => price !== null);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PromoCode, { description: "Adds a promo code." })
  async addPromoCode(
    @CheckedArg("input", PromoCodeInput) input: PromoCodeValues,
    @Ctx() context: Context,
  ): Promise<PromoCode> {
    return addPromoCode(context, input);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PromoCode, {
    description: "Changes a promo code for future uses. Earlier redemptions keep their discount.",
  })
  async updatePromoCode(
    @Arg("id", () => ID, { description: "The promo code." }) id: string,
    @CheckedArg("input", PromoCodeInput) input: PromoCodeValues,
    @Arg("revision", () => Int, {
      nullable: true,
      description: "Revision you loaded; an outdated one gives a CONFLICT. If omitted, the last write wins.",
    })
    revision: number | undefined,
    @Ctx() context: Context,
  ): Promise<PromoCode> {
    return updatePromoCode(context, id, input, revision);
  }

  @Allow("admin", { roles: customerStaff, scope: "promo-codes:read" })
  @Query(() => [StaffChange], { description: "Changes that staff made to a promo code after a revision." })
  async promoCodeChanges(
    @Arg("id", () => ID, { description: "The promo code." }) id: string,
    @Arg("since", () => Int, { description: "The revision after which changes are returned." }) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    return listPromoCodeChanges(context, id, since);
  }

  @Allow("admin", { roles: ["finance"], harm: "money" })
  @Mutation(() => PromoCode, {
    description:
      "Undoes the deletion of a promo code, so that it can be used again. Returns CONFLICT if a new code with the same text exists. Idempotent.",
  })
  async restorePromoCode(
    @Arg("id", () => ID, { description: "The promo code." }) id: string,
    @Ctx() context: Context,
  ): Promise<PromoCode> {
    return restorePromoCode(context, id);
  }

  @Allow("admin", { roles: ["finance"], scope: "promo-codes:write", harm: "others" })
  @Mutation(() => DeletedObject, {
    description: "Deletes a promo code, so it can't be used any more. Earlier redemptions keep their discount.",
  })
  async deletePromoCode(
    @Arg("id", () => ID, { description: "The promo code." }) id: string,
    @Ctx() context: Context,
  ): Promise<DeletedObject> {
    await deletePromoCode(context, id);
    return toDeletedObject(id);
  }
}

/** Represents "no date" in REST responses. */
const NO_DATE = "0001-01-01T00:00:00Z";

/** A promo code as `/v1` returns it to staff. */
const promoCodeShape = namedObject("PromoCode", {
  id,
  code: text,
  discountType: catalogueNumber(discountTypes),
  discountValue: Type.Number({ description: "Percentage, or amount in dollars" }),
  discountPercentage: Type.Number({ description: "Percentage as a fraction; 0.1 is 10 %" }),
  discountAmount: Type.Integer({ description: "Cents, without GST" }),
  expiryDate: describedText("ISO 8601, UTC; 0001-01-01T00:00:00Z if the code never expires"),
  isOneTimeUseOnly: flag,
});

/**
 * Converts a promo code to its `/v1` form: `discountValue` as typed (percentage or dollars), `discountPercentage` as a
 * fraction, `discountAmount` in cents. The field for the other type of discount is 0.
 */
function toPromoCodeJson(promoCode: PromoCode): Static<typeof promoCodeShape> {
  const { id, code, basisPoints, amountCents, expiresAt, isOneTimeUseOnly } = promoCode;
  return {
    id,
    code,
    discountType: promoCode.discountTypeValue,
    // JSON prints the quotient of an integer and 100 as an exact decimal.
    discountValue: (basisPoints ?? amountCents ?? 0) / 100,
    discountPercentage: (basisPoints ?? 0) / 10_000,
    discountAmount: amountCents ?? 0,
    expiryDate: expiresAt?.toISOString() ?? NO_DATE,
    isOneTimeUseOnly,
  };
}

const defineRoute = routesOf("Promo codes");
const examplePromoCode = getExample(promoCodeFields);

/** Calls for using promo codes (decision 0018) and for managing them. */
export const promoCodeRoutes = [
  defineRoute("POST /v1/promoCode/validate", {
    allow: { audience: "regular", scope: "session" },
    summary: "Calculate a price with a promo code. Amounts are in AUD cents",
    body: validatePromoCodeRules,
    bodyExample: { itemAmount: 16_495, promoCode: "WELCOME10" },
    errors: ["UNPROCESSABLE"],
    response: namedObject("PromoCodePrice", {
      totalAfterDiscount: cents,
      discount: Type.Integer({ description: "Cents, without GST" }),
      gst: cents,
      itemAmount: cents,
    }),
    example: { totalAfterDiscount: 14_845, discount: 1_500, gst: 1_350, itemAmount: 16_495 },
    handler: async ({ context, body }) => {
      const { totalCents, discountCents, gstCents, amountCents, fullTotalCents } = await validatePromoCode(
        context,
        body,
      );
      return {
        totalAfterDiscount: totalCents,
        discount: discountCents,
        gst: gstCents,
        // The amount from the request is returned only if it is a current price.
        itemAmount: body.itemAmount === amountCents ? amountCents : fullTotalCents,
      };
    },
  }),
  defineRoute("GET /v1/promoCode", {
    operation: "Query.promoCodes",
    summary:
      "List all promo codes. The newest come first. Amounts are in cents, and an expiry date of 0001-01-01 means that the code doesn't expire",
    response: Type.Array(promoCodeShape),
    example: [
      {
        id: exampleIds.other,
        code: "WELCOME10",
        discountType: 0,
        discountValue: 10,
        discountPercentage: 0.1,
        discountAmount: 0,
        expiryDate: "0001-01-01T00:00:00Z",
        isOneTimeUseOnly: false,
      },
    ],
    handler: async ({ context }) => (await listPromoCodes(context)).map(toPromoCodeJson),
  }),
  defineRoute("POST /v1/promoCode", {
    operation: "Mutation.addPromoCode",
    summary:
      "Create a promo code. The discount is a percentage or an amount in dollars. Returns the id, or 409 if the code already exists",
    body: promoCodeRules,
    bodyExample: examplePromoCode,
    errors: ["CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body }) => (await addPromoCode(context, body)).id,
  }),
  defineRoute("PUT /v1/promoCode", {
    operation: "Mutation.updatePromoCode",
    summary:
      "Update a promo code. Applies to future uses. With `revision`, the call returns 409 if the promo code has changed since. Without it, the last write wins. `startDate`, `planPriceIds` and `maximumRedemptions` stay as they are if they are missing or null; an empty text or list removes them",
    body: changedPromoCodeRules,
    bodyExample: { id: exampleIds.other, ...examplePromoCode },
    errors: ["NOT_FOUND", "CONFLICT"],
    handler: async ({ context, body: { id, revision, ...values } }) => {
      await updatePromoCode(context, id, values, revision);
    },
  }),
  defineRoute("DELETE /v1/promoCode/:id", {
    params: { id: param.promoCode },
    operation: "Mutation.deletePromoCode",
    summary: "Delete a promo code. Past uses are not affected",
    handler: ({ context, params }) => deletePromoCode(context, params.id),
  }),
];

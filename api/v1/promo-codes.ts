import { Type } from "typebox";
import { getExample } from "#schema/field.ts";
import { changedPromoCodeRules, promoCodeFields, promoCodeRules, validatePromoCodeRules } from "#schema/promo-code.ts";
import { validatePromoCode } from "#api/billing/promo-codes/apply-promo-code.ts";
import { listPromoCodes } from "#api/billing/promo-codes/list-promo-codes.ts";
import { addPromoCode, deletePromoCode, updatePromoCode } from "#api/billing/promo-codes/edit-promo-codes.ts";
import { toPromoCodeJson, promoCodeShape } from "#api/billing/promo-codes/promo-code.json.ts";
import { cents, id, namedObject } from "#api/platform/http/json-types.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Promo codes";
const examplePromoCode = getExample(promoCodeFields);

/** Calls for using promo codes (decision 0018) and for managing them. */
export const promoCodeRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/promoCode/validate",
    allow: { audience: "regular", scope: "session" },
    tag,
    summary: "Calculate a price with a promo code. Amounts are in AUD cents",
    body: validatePromoCodeRules,
    bodyExample: { itemAmount: 16_495, promoCode: "WELCOME10" },
    errors: ["UNPROCESSABLE"],
    response: namedObject("PromoCodePrice", {
      totalAfterDiscount: cents,
      discount: cents,
      gst: cents,
      itemAmount: cents,
    }),
    example: { totalAfterDiscount: 14_846, discount: 1_500, gst: 1_350, itemAmount: 16_495 },
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
  defineRoute({
    method: "GET",
    url: "/v1/promoCode",
    operation: "Query.promoCodes",
    tag,
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
  defineRoute({
    method: "POST",
    url: "/v1/promoCode",
    operation: "Mutation.addPromoCode",
    tag,
    summary:
      "Create a promo code. The discount is a percentage or an amount in dollars. Returns the id, or 409 if the code already exists",
    body: promoCodeRules,
    bodyExample: examplePromoCode,
    errors: ["CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body }) => (await addPromoCode(context, body)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/promoCode",
    operation: "Mutation.updatePromoCode",
    tag,
    summary:
      "Update a promo code. Applies to future uses. With `revision`, the call returns 409 if the promo code has changed since. Without it, the last write wins",
    body: changedPromoCodeRules,
    bodyExample: { id: exampleIds.other, ...examplePromoCode },
    errors: ["NOT_FOUND", "CONFLICT"],
    handler: async ({ context, body: { id, revision, ...values } }) => {
      await updatePromoCode(context, id, values, revision);
    },
  }),
  defineRoute({
    method: "DELETE",
    url: "/v1/promoCode/:id",
    params: { id: param.promoCode },
    operation: "Mutation.deletePromoCode",
    tag,
    summary: "Delete a promo code. Past uses are not affected",
    handler: ({ context, params }) => deletePromoCode(context, params.id ?? ""),
  }),
];

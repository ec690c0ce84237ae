import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from "type-graphql";
import { type ApplyPromoCodeValues, applyPromoCodeRules } from "#schema/rules/promo-code.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { PriceQuote } from "#api/features/plans/plan.resolver.ts";
import { applyPromoCode } from "./apply-promo-code.ts";

@InputType({ description: "A promo code and what it is applied to." })
export class ApplyPromoCodeInput {
  @Field(() => ID)
  planPriceId!: string;

  @Field(() => String, { description: "In any case." })
  promoCode!: string;
}

@Resolver()
export class PromoCodeResolver {
  // A mutation, though it changes nothing: an operation has room for one, so codes can't be guessed by the dozen.
  @Allow("regular")
  @Check({ input: applyPromoCodeRules })
  @Mutation(() => PriceQuote, { description: "What a plan price costs the caller with a promo code; takes nothing." })
  async applyPromoCode(
    @Arg("input", () => ApplyPromoCodeInput) input: ApplyPromoCodeInput,
    @Ctx() context: Context,
  ): Promise<PriceQuote> {
    return applyPromoCode(context, input as ApplyPromoCodeValues);
  }
}

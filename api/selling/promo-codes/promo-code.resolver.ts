import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Query, Resolver } from "type-graphql";
import { discountTypes, legend } from "#schema/catalogue.ts";
import {
  type ApplyPromoCodeValues,
  applyPromoCodeRules,
  promoCodeRules,
  type PromoCodeValues,
} from "#schema/rules/promo-code.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { StaffChange } from "#api/audit/change-log/changes-since.ts";
import { PriceQuote } from "#api/selling/plans/plan.resolver.ts";
import { applyPromoCode } from "./apply-promo-code.ts";
import { listPromoCodes } from "./list-promo-codes.ts";
import { addPromoCode, deletePromoCode, listPromoCodeChanges, updatePromoCode } from "./promo-code-changes.ts";
import { PromoCode } from "./promo-code.entity.ts";

@InputType({ description: "A promo code and what it is applied to." })
export class ApplyPromoCodeInput implements ApplyPromoCodeValues {
  @Field(() => ID)
  planPriceId!: string;

  @Field(() => String, { description: "In any case." })
  promoCode!: string;
}

@InputType({ description: "A promo code as staff make it." })
export class PromoCodeInput implements PromoCodeValues {
  @Field(() => String, { description: "At most 50 characters; compared in any case." })
  code!: string;

  @Field(() => Int, { description: legend(discountTypes) })
  discountType!: number;

  @Field(() => String, { description: "As typed: a percent such as 12.5, or dollars such as 50 or A$50.00." })
  discountValue!: string;

  @Field(() => String, {
    nullable: true,
    description: "ISO 8601, UTC; a day without a time includes its day. Null for a code that works for ever.",
  })
  expiryDate?: PromoCodeValues["expiryDate"];

  @Field(() => Boolean, { defaultValue: false, description: "One redemption over all users." })
  isOneTimeUseOnly: boolean = false;
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
    return applyPromoCode(context, input);
  }

  @Allow("admin")
  @Query(() => [PromoCode], { description: "Every promo code that is not deleted, newest first." })
  async promoCodes(@Ctx() context: Context): Promise<PromoCode[]> {
    return listPromoCodes(context);
  }

  @Allow("admin")
  @Check({ input: promoCodeRules })
  @Mutation(() => PromoCode)
  async addPromoCode(
    @Arg("input", () => PromoCodeInput) input: PromoCodeInput,
    @Ctx() context: Context,
  ): Promise<PromoCode> {
    return addPromoCode(context, input);
  }

  @Allow("admin")
  @Check({ input: promoCodeRules })
  @Mutation(() => PromoCode, { description: "Changes what the code does from now on; what it was used for stays." })
  async updatePromoCode(
    @Arg("id", () => ID) id: string,
    @Arg("input", () => PromoCodeInput) input: PromoCodeInput,
    @Arg("revision", () => Int, {
      nullable: true,
      description: "What the form began with; an older one is a CONFLICT. Left out, the last write wins.",
    })
    revision: number | undefined,
    @Ctx() context: Context,
  ): Promise<PromoCode> {
    return updatePromoCode(context, id, input, revision);
  }

  @Allow("admin")
  @Query(() => [StaffChange], { description: "What staff changed of a promo code after a revision." })
  async promoCodeChanges(
    @Arg("id", () => ID) id: string,
    @Arg("since", () => Int) since: number,
    @Ctx() context: Context,
  ): Promise<StaffChange[]> {
    return listPromoCodeChanges(context, id, since);
  }

  @Allow("admin")
  @Mutation(() => Boolean, { description: "Nobody can use it from now on; what it was used for stays." })
  async deletePromoCode(@Arg("id", () => ID) id: string, @Ctx() context: Context): Promise<boolean> {
    await deletePromoCode(context, id);
    return true;
  }
}

import { type Opt, types } from "@mikro-orm/core";
import { Check, Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DiscountType, discountTypes, legend } from "#schema/catalogue.ts";

/** Words that take something off the first invoice of a subscription (docs/domain.md#promo-codes). */
@ObjectType({ description: "Words that take something off the first invoice of a subscription." })
@Entity({ tableName: "promo_codes" })
@Index({
  name: "promo_codes_one_of_each",
  expression: "create unique index promo_codes_one_of_each on promo_codes (compared_code) where archived_at is null",
})
@Check({ name: "promo_codes_one_discount", expression: "num_nonnulls(basis_points, amount_cents) = 1" })
export class PromoCode {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** As the admin typed it. */
  @Field(() => String)
  @Property({ type: types.string })
  code!: string;

  /** What typed codes are compared with: trimmed, in upper case. */
  @Property({ type: types.string })
  comparedCode!: string;

  @Property({ type: types.string })
  discountType!: "percentage" | "amount";

  /** 1,000 is 10 %; null for an amount. */
  @Field(() => Int, { nullable: true, description: "1,000 is 10 %; null for dollars off." })
  @Property({ type: types.integer, nullable: true })
  basisPoints: number | null = null;

  /** Off the price without GST; null for a percentage. */
  @Field(() => Int, { nullable: true, description: "Off the price without GST; null for a percentage." })
  @Property({ type: types.integer, nullable: true })
  amountCents: number | null = null;

  /** The code works until before this moment, UTC; null for always. */
  @Field(() => Date, { nullable: true, description: "The code works until before this moment, UTC; null for always." })
  @Property({ type: types.datetime, nullable: true })
  expiresAt: Date | null = null;

  /** One redemption over all users. */
  @Field(() => Boolean, { description: "One redemption over all users." })
  @Property({ type: types.boolean })
  isOneTimeUseOnly: Opt<boolean> = false;

  @Property({ type: types.datetime })
  createdAt!: Date;

  /** Set when an admin deleted the code: nobody can use it, its redemptions stay, and its words are free again. */
  @Property({ type: types.datetime, nullable: true })
  archivedAt: Date | null = null;

  /** Counts the changes, so that a form that began before another's is told (decision 0044). */
  @Field(() => Int, { description: "Counts the changes; a form sends the one that it began with." })
  @Property({ type: types.integer, default: 1 })
  revision: Opt<number> = 1;

  /** Whether its time is over; told where it is shown, by the clock. */
  @Field(() => Boolean, { description: "Whether its time is over." })
  @Property({ type: types.boolean, persist: false })
  isExpired: Opt<boolean> = false;

  /** How often it was redeemed; counted where it is shown. */
  @Field(() => Int, { description: "How often it was redeemed." })
  @Property({ type: types.integer, persist: false })
  timesUsed: Opt<number> = 0;

  @Field(() => Int, { name: "discountType", description: legend(discountTypes) })
  get discountTypeValue(): Opt<number> {
    return this.discountType === "percentage" ? DiscountType.Percentage : DiscountType.DollarsOff;
  }
}

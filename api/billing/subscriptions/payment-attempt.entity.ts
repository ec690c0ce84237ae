import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "./subscription.entity.ts";

/** An attempt to charge a customer's card, as the payment provider reports it. Only `sync-customer.ts` writes it. */
@VisibleTo("signedIn")
@ObjectType({ description: "An attempt to charge a customer's card." })
@Entity({ tableName: "payment_attempts" })
@Index({
  name: "payment_attempts_of_user",
  expression: "create index payment_attempts_of_user on payment_attempts (user_id, at desc, id desc)",
})
@Index({
  name: "payment_attempts_of_subscription",
  expression: "create index payment_attempts_of_subscription on payment_attempts (subscription_id, at desc, id desc)",
})
export class PaymentAttempt {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User)
  user!: User;

  /** Null if the first payment of a subscription failed, because the subscription then never started. */
  @ManyToOne(() => Subscription, { nullable: true })
  subscription: Subscription | null = null;

  @Unique()
  @Property({ type: types.string })
  providerChargeId!: string;

  @Index()
  @Property({ type: types.string })
  providerInvoiceId!: string;

  @Field(() => Date, { description: "The time of the attempt, in UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  /** Counts the attempts to pay the same invoice, from 1. */
  @Field(() => Int, { description: "Number of the attempt to pay the same invoice, from 1." })
  @Property({ type: types.integer })
  number!: number;

  @Field(() => Int, { description: "Amount in cents including GST." })
  @Property({ type: types.integer })
  amountCents!: number;

  @Field(() => Int, { description: "Refunded part of the amount, in cents including GST." })
  @Property({ type: types.integer })
  refundedCents: Opt<number> = 0;

  @Field(() => String, { nullable: true, description: "The bank's reason in words; null if the payment succeeded." })
  @Property({ type: types.string, nullable: true })
  reason: string | null = null;

  @Field(() => Date, {
    nullable: true,
    description: "The time of the next automatic attempt, in UTC; only on the latest attempt to pay an open invoice.",
  })
  @Property({ type: types.datetime, nullable: true })
  nextRetryAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "Brand of the card." })
  @Property({ type: types.string, nullable: true })
  cardBrand: string | null = null;

  @Field(() => String, { nullable: true, description: "Last four digits of the card." })
  @Property({ type: types.string, nullable: true })
  cardLast4: string | null = null;
}

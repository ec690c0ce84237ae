import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Unique, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { kept, Cents, Integer, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "./subscription.entity.ts";

/** An attempt to charge a customer's card, as the payment provider reports it. Only `sync-customer.ts` writes it. */
@VisibleTo("signedIn")
@ObjectType({ description: "An attempt to charge a customer's card." })
@Entity({ tableName: "payment_attempts" })
@SqlIndex("create index payment_attempts_of_user on payment_attempts (user_id, at desc, id desc)")
@SqlIndex("create index payment_attempts_of_subscription on payment_attempts (subscription_id, at desc, id desc)")
@SqlIndex("create index payment_attempts_newest on payment_attempts (at)")
export class PaymentAttempt {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => User, { personal: kept.books })
  user!: User;

  /** Null if the first payment of a subscription failed, because the subscription then never started. */
  @Reference(() => Subscription, { nullable: true, personal: kept.books })
  subscription: Subscription | null = null;

  @Unique()
  @Text({ personal: kept.books })
  providerChargeId!: string;

  @Index()
  @Text({ personal: kept.books })
  providerInvoiceId!: string;

  @Moment("The time of the attempt, in UTC.")
  at!: Date;

  /** Counts the attempts to pay the same invoice, from 1. */
  @Integer("Number of the attempt to pay the same invoice, from 1.")
  number!: number;

  @Cents("Amount in cents including GST.")
  amountCents!: number;

  @Cents("Refunded part of the amount, in cents including GST.")
  refundedCents: Opt<number> = 0;

  @Text("The bank's reason in words; null if the payment succeeded.", { nullable: true, personal: "none" })
  reason: string | null = null;

  @Moment("The time of the next automatic attempt, in UTC; only on the latest attempt to pay an open invoice.", {
    nullable: true,
  })
  nextRetryAt: Date | null = null;

  @Text("Brand of the card.", { nullable: true, personal: "deleted" })
  cardBrand: string | null = null;

  @Text("Last four digits of the card.", { nullable: true, personal: "deleted" })
  cardLast4: string | null = null;
}

/**
 * Returns the latest attempt to charge the overdue payment of a subscription; null if nothing is overdue, or if the bank
 * only wants the customer to authenticate, which the provider doesn't count as an attempt.
 */
export async function findFailedAttempt(
  em: EntityManager,
  { id, status }: Pick<Subscription, "id" | "status">,
): Promise<PaymentAttempt | null> {
  if (status !== "past_due") return null;
  const latest = await em.findOne(PaymentAttempt, { subscription: id }, { orderBy: { at: "desc", id: "desc" } });
  return latest?.reason ? latest : null;
}

/**
 * Inbox of the provider's webhook events. Each event is stored once under its id, and applied by reading its customer
 * from the provider again.
 */
@Entity({ tableName: "payment_notices" })
@SqlIndex("create index payment_notices_waiting on payment_notices (received_at) where applied_at is null")
export class PaymentNotice {
  @PrimaryKey({ type: types.string })
  id!: string;

  @Text({ personal: "none" })
  type!: string;

  @Text({ nullable: true, personal: { kept: "Payment provider IDs, removed after 90 days." } })
  customerId: string | null = null;

  @Text({ nullable: true, personal: { kept: "Payment provider IDs, removed after 90 days." } })
  chargeId: string | null = null;

  @Moment()
  createdAt!: Date;

  @Moment()
  receivedAt!: Date;

  @Moment({ nullable: true })
  appliedAt: Date | null = null;
}

import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { CancellationReasonCode } from "#schema/subscription.ts";
import { LongText, Moment, Reference, RowId, SqlIndex, Text, Cents } from "#api/platform/database/columns.ts";
import { Subscription } from "./subscription.entity.ts";

/** A customer's reason for cancelling a subscription. At most one of a subscription is in force. */
@Entity({ tableName: "subscription_cancellations" })
@SqlIndex(
  "create unique index subscription_cancellations_in_force on subscription_cancellations (subscription_id) where withdrawn_at is null",
)
export class SubscriptionCancellation {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: "none" })
  subscription!: Subscription;

  @Moment()
  cancelledAt!: Date;

  /** Null if the customer gave no reason. */
  @Text({ nullable: true, personal: "none" })
  reason: CancellationReasonCode | null = null;

  /** The customer's own words. */
  @LongText({ nullable: true, personal: "deleted" })
  comment: string | null = null;

  /** Set when the customer resumed the subscription. */
  @Moment({ nullable: true })
  withdrawnAt: Date | null = null;
}

/** A quoted plan change. Carrying it out charges exactly the quoted amount. */
@Entity({ tableName: "subscription_changes" })
export class SubscriptionChange {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: "none" })
  subscription!: Subscription;

  @Text({ personal: "none" })
  planPrice!: string;

  /** Time from which the provider prorated the rest of the period. */
  @Moment()
  reckonedAt!: Date;

  /** The plan's price per period that the quote is for, in cents including GST; null for a quote of an earlier version. */
  @Cents({ nullable: true })
  periodCents: number | null = null;

  /** Amount to charge, in cents including GST. */
  @Cents()
  dueCents!: number;

  @Moment({ nullable: true })
  doneAt: Date | null = null;
}

/** A pause of a subscription, for the timeline. At most one of a subscription is running. */
@Entity({ tableName: "subscription_pauses" })
@SqlIndex(
  "create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null",
)
export class SubscriptionPause {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: "none" })
  subscription!: Subscription;

  @Moment()
  pausedAt!: Date;

  /** Time at which it ends unless the subscription is resumed earlier. */
  @Moment()
  until!: Date;

  @Moment({ nullable: true })
  endedAt: Date | null = null;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { CancellationReasonCode } from "#schema/cancellation-reasons.ts";
import { Subscription } from "./subscription.entity.ts";

/** A customer's reason for cancelling a subscription. At most one of a subscription is in force. */
@Entity({ tableName: "subscription_cancellations" })
@Index({
  name: "subscription_cancellations_in_force",
  expression:
    "create unique index subscription_cancellations_in_force on subscription_cancellations (subscription_id) where withdrawn_at is null",
})
export class SubscriptionCancellation {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Subscription, { deleteRule: "cascade" })
  subscription!: Subscription;

  @Property({ type: types.datetime })
  cancelledAt!: Date;

  /** Null if the customer gave no reason. */
  @Property({ type: types.string, nullable: true })
  reason: CancellationReasonCode | null = null;

  /** The customer's own words. */
  @Property({ type: types.text, nullable: true })
  comment: string | null = null;

  /** Set when the customer resumed the subscription. */
  @Property({ type: types.datetime, nullable: true })
  withdrawnAt: Date | null = null;
}

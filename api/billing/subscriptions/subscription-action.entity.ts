import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";

export enum SubscriptionActionKind {
  RETRY_PAYMENT = "RETRY_PAYMENT",
  CANCEL_NOW = "CANCEL_NOW",
  CANCEL_AT_PERIOD_END = "CANCEL_AT_PERIOD_END",
  RESUME = "RESUME",
  EXTEND_LICENCE = "EXTEND_LICENCE",
  PAUSE = "PAUSE",
  END_PAUSE = "END_PAUSE",
}
registerEnumType(SubscriptionActionKind, {
  name: "SubscriptionActionKind",
  description: "An action of staff on a customer's subscription.",
  valuesConfig: {
    RETRY_PAYMENT: { description: "Charges the card for the overdue payment now." },
    CANCEL_NOW: { description: "Ends the subscription and the licence now, without a refund." },
    CANCEL_AT_PERIOD_END: { description: "Cancels the subscription; the licence ends with the paid period." },
    RESUME: { description: "Resumes a subscription that would end with the period." },
    EXTEND_LICENCE: { description: "Extends the licence by days, without a charge." },
    PAUSE: { description: "Pauses the subscription until a day. An overdue payment is cancelled." },
    END_PAUSE: { description: "Ends a pause now." },
  },
});

export enum SubscriptionActionStatus {
  PENDING = "PENDING",
  DONE = "DONE",
  FAILED = "FAILED",
}
registerEnumType(SubscriptionActionStatus, {
  name: "SubscriptionActionStatus",
  description: "The state of an action on a subscription.",
  valuesConfig: {
    DONE: { description: "The action is complete." },
    FAILED: { description: "The action failed; see `message`." },
    PENDING: { description: "The payment provider hasn't confirmed it yet. We retry automatically." },
  },
});

/**
 * An action of staff on a customer's subscription. The row is committed before the payment provider is called, so that
 * an interrupted action is finished later, once (`finish-action.ts`).
 */
@VisibleTo("admin")
@ObjectType({ description: "An action of staff on a customer's subscription." })
@Entity({ tableName: "subscription_actions" })
@Index({
  name: "subscription_actions_one_pending",
  expression:
    "create unique index subscription_actions_one_pending on subscription_actions (subscription_id) where status = 'PENDING'",
})
export class SubscriptionAction {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The caller's key. A repeated request with the same key returns this action. */
  @Unique()
  @Property({ type: types.uuid })
  key!: string;

  @Field(() => SubscriptionActionKind, { description: "The action." })
  @Property({ type: types.string })
  kind!: SubscriptionActionKind;

  @Index()
  @ManyToOne(() => Subscription)
  subscription!: Subscription;

  /** Days by which the licence is extended; null for other kinds. */
  @Property({ type: types.integer, nullable: true })
  days: number | null = null;

  /** Time at which the pause ends; null for other kinds. */
  @Property({ type: types.datetime, nullable: true })
  pauseUntil: Date | null = null;

  @Property({ type: types.text, nullable: true })
  reason: string | null = null;

  @Field(() => SubscriptionActionStatus, { description: "State of the action." })
  @Property({ type: types.string })
  status!: SubscriptionActionStatus;

  @Field(() => String, { nullable: true, description: "Outcome in words, such as why a payment was declined." })
  @Property({ type: types.string, nullable: true })
  message: string | null = null;

  /** The member of staff who requested it. */
  @Index()
  @ManyToOne(() => User)
  requestedBy!: User;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;
}

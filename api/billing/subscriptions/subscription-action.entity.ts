import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import {
  kept,
  Integer,
  LongText,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  Uuid,
} from "#api/platform/database/columns.ts";
import { declareEnum, VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";

export const SubscriptionActionKind = declareEnum(
  "SubscriptionActionKind",
  "An action of staff on a customer's subscription.",
  {
    RETRY_PAYMENT: "Charges the card for the overdue payment now.",
    CANCEL_NOW: "Ends the subscription and the licence now, without a refund.",
    CANCEL_AT_PERIOD_END: "Cancels the subscription; the licence ends with the paid period.",
    RESUME: "Resumes a subscription that would end with the period.",
    EXTEND_LICENCE: "Extends the licence by days, without a charge.",
    PAUSE: "Pauses the subscription until a day. An overdue payment is cancelled.",
    END_PAUSE: "Ends a pause now.",
  },
);
export type SubscriptionActionKind = keyof typeof SubscriptionActionKind;

export const SubscriptionActionStatus = declareEnum(
  "SubscriptionActionStatus",
  "The state of an action on a subscription.",
  {
    PENDING: "The payment provider hasn't confirmed it yet. We retry automatically.",
    DONE: "The action is complete.",
    FAILED: "The action failed; see `message`.",
  },
);
export type SubscriptionActionStatus = keyof typeof SubscriptionActionStatus;

/**
 * An action of staff on a customer's subscription. The row is committed before the payment provider is called, so that
 * an interrupted action is finished later, once (`finish-action.ts`).
 */
@VisibleTo("admin")
@ObjectType({ description: "An action of staff on a customer's subscription." })
@Entity({ tableName: "subscription_actions" })
@SqlIndex(
  "create unique index subscription_actions_one_pending on subscription_actions (subscription_id) where status = 'PENDING'",
)
export class SubscriptionAction {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The caller's key. A repeated request with the same key returns this action. */
  @Unique()
  @Uuid({ personal: "none" })
  key!: string;

  @Text("The action.", { field: () => SubscriptionActionKind, personal: "none" })
  kind!: SubscriptionActionKind;

  @Index()
  @Reference(() => Subscription, { personal: kept.books })
  subscription!: Subscription;

  /** Days by which the licence is extended; null for other kinds. */
  @Integer({ nullable: true })
  days: number | null = null;

  /** Time at which the pause ends; null for other kinds. */
  @Moment({ nullable: true })
  pauseUntil: Date | null = null;

  @LongText({ nullable: true, personal: "deleted" })
  reason: string | null = null;

  @Text("State of the action.", { field: () => SubscriptionActionStatus, personal: "none" })
  status!: SubscriptionActionStatus;

  @Text("Outcome in words, such as why a payment was declined.", { nullable: true, personal: "none" })
  message: string | null = null;

  /** The member of staff who requested it. */
  @Index()
  @Reference(() => User, { personal: kept.books })
  requestedBy!: User;

  @Moment()
  createdAt!: Date;

  @Moment({ nullable: true })
  finishedAt: Date | null = null;
}

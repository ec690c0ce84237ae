import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import { kept } from "#api/platform/database/column-classes.ts";
import {
  Classified,
  Integer,
  LongText,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  Uuid,
} from "#api/platform/database/columns.ts";
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

  @Classified("none")
  @Field(() => SubscriptionActionKind, { description: "The action." })
  @Property({ type: types.string })
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

  @Classified("none")
  @Field(() => SubscriptionActionStatus, { description: "State of the action." })
  @Property({ type: types.string })
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

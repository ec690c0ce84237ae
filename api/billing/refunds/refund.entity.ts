import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

export enum RefundLicence {
  KEEP = "KEEP",
  END_NOW = "END_NOW",
  END_AT_PERIOD_END = "END_AT_PERIOD_END",
}
registerEnumType(RefundLicence, {
  name: "RefundLicence",
  description: "Effect of a refund on the subscription and its licence.",
  valuesConfig: {
    KEEP: { description: "The licence and the subscription stay as they are." },
    END_NOW: { description: "The licence and the subscription end now." },
    END_AT_PERIOD_END: { description: "The subscription is cancelled, and the licence ends with the period." },
  },
});

export enum RefundStatus {
  PENDING = "PENDING",
  DONE = "DONE",
  FAILED = "FAILED",
}
registerEnumType(RefundStatus, {
  name: "RefundStatus",
  description: "The state of a refund.",
  valuesConfig: {
    DONE: { description: "The refund is complete." },
    FAILED: { description: "The refund failed; see `failure`." },
    PENDING: { description: "The payment provider hasn't confirmed it yet. We retry automatically." },
  },
});

/**
 * A refund by staff. The row is committed before the payment provider is called, so that an interrupted refund is
 * finished later, once (`finish-refund.ts`). A refund of a payment that wasn't by card is only recorded.
 */
@VisibleTo("admin")
@ObjectType({ description: "A refund by staff." })
@Entity({ tableName: "refunds" })
@Index({
  name: "refunds_pending",
  expression: "create index refunds_pending on refunds (created_at) where status = 'PENDING'",
})
export class Refund {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The caller's key. A repeated request with the same key returns this refund. */
  @Unique()
  @Property({ type: types.uuid })
  key!: string;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => TaxInvoice)
  taxInvoice!: TaxInvoice;

  @Field(() => Int, { description: "Amount in cents including GST." })
  @Property({ type: types.integer })
  amountCents!: number;

  @Field(() => Int, { description: "GST in the amount, in cents." })
  @Property({ type: types.integer })
  gstCents!: number;

  @Field(() => RefundLicence, { description: "Effect on the subscription and its licence." })
  @Property({ type: types.string })
  licence!: RefundLicence;

  @Field(() => String, { description: "The reason that staff gave." })
  @Property({ type: types.text })
  reason!: string;

  @Field(() => Boolean, { description: "Whether the money goes back to the card; otherwise the refund is recorded." })
  @Property({ type: types.boolean })
  isToCard!: boolean;

  @Field(() => RefundStatus, { description: "State of the refund." })
  @Property({ type: types.string })
  status!: RefundStatus;

  @Field(() => String, { nullable: true, description: "Why the refund failed." })
  @Property({ type: types.string, nullable: true })
  failure: string | null = null;

  @Property({ type: types.string, nullable: true })
  providerRefundId: string | null = null;

  @Index()
  @ManyToOne(() => TaxInvoice, { nullable: true })
  adjustmentNote: TaxInvoice | null = null;

  /** The member of staff who requested it. */
  @Index()
  @ManyToOne(() => User)
  requestedBy!: User;

  @Field(() => Date, { description: "The time it was requested, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;
}

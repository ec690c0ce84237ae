import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import {
  kept,
  Cents,
  Flag,
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
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

export const RefundLicence = declareEnum("RefundLicence", "Effect of a refund on the subscription and its licence.", {
  KEEP: "The licence and the subscription stay as they are.",
  END_NOW: "The licence and the subscription end now.",
  END_AT_PERIOD_END: "The subscription is cancelled, and the licence ends with the period.",
});
export type RefundLicence = keyof typeof RefundLicence;

export const RefundStatus = declareEnum("RefundStatus", "The state of a refund.", {
  PENDING: "The payment provider hasn't confirmed it yet. We retry automatically.",
  DONE: "The refund is complete.",
  FAILED: "The refund failed; see `failure`.",
});
export type RefundStatus = keyof typeof RefundStatus;

/**
 * A refund by staff. The row is committed before the payment provider is called, so that an interrupted refund is
 * finished later, once (`finish-refund.ts`). A refund of a payment that wasn't by card is only recorded.
 */
@VisibleTo("admin")
@ObjectType({ description: "A refund by staff." })
@Entity({ tableName: "refunds" })
@SqlIndex("create index refunds_pending on refunds (created_at) where status = 'PENDING'")
export class Refund {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** The caller's key. A repeated request with the same key returns this refund. */
  @Unique()
  @Uuid({ personal: "none" })
  key!: string;

  /** Digest of what that request asked for, such as the unused time. Null if an earlier version created it. */
  @Text({ nullable: true, personal: "none" })
  requestDigest: string | null = null;

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Index()
  @Reference(() => TaxInvoice, { personal: kept.books })
  taxInvoice!: TaxInvoice;

  @Cents("Amount in cents including GST.")
  amountCents!: number;

  @Cents("GST in the amount, in cents.")
  gstCents!: number;

  @Text("Effect on the subscription and its licence.", { field: () => RefundLicence, personal: "none" })
  licence!: RefundLicence;

  @LongText("The reason that staff gave.", { personal: "deleted" })
  reason!: string;

  @Flag("Whether the money goes back to the card; otherwise the refund is recorded.")
  isToCard!: boolean;

  @Text("State of the refund.", { field: () => RefundStatus, personal: "none" })
  status!: RefundStatus;

  @Text("Why the refund failed.", { nullable: true, personal: "none" })
  failure: string | null = null;

  @Text({ nullable: true, personal: kept.books })
  providerRefundId: string | null = null;

  /** When the subscription was cancelled as chosen. The customer may resume it before the bank confirms the refund. */
  @Moment({ nullable: true })
  subscriptionCancelledAt: Date | null = null;

  @Index()
  @Reference(() => TaxInvoice, { nullable: true, personal: kept.books })
  adjustmentNote: TaxInvoice | null = null;

  /** The member of staff who requested it. */
  @Index()
  @Reference(() => User, { personal: kept.books })
  requestedBy!: User;

  @Moment("The time it was requested, in UTC.")
  createdAt!: Date;

  @Moment({ nullable: true })
  finishedAt: Date | null = null;
}

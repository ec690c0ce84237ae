import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { type PaymentMethod, paymentMethods } from "#schema/manual-invoice.ts";
import { kept, Cents, Choice, Moment, Reference, RowId, Text, Uuid, SqlIndex } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A payment received for an invoice by hand. Never changed or deleted. Amounts are AUD cents. */
@VisibleTo("admin")
@ObjectType({ description: "A payment received for an invoice by hand. Amounts are AUD cents." })
@Entity({ tableName: "received_payments" })
export class ReceivedPayment {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** Key of the request that recorded it; a repeated request returns this payment. */
  @Unique()
  @Text({ personal: "none" })
  key!: string;

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Index()
  @Reference(() => ManualInvoice, { personal: "none" })
  invoice!: ManualInvoice;

  /** The numbered document at the time of the entry. It stays the same if the invoice is re-issued. */
  @Index()
  @Reference(() => TaxInvoice, { nullable: true, personal: "none" })
  taxInvoice: TaxInvoice | null = null;

  @Choice(paymentMethods)
  method!: PaymentMethod;

  @Cents("Amount received.")
  amountCents!: number;

  @Cents("The part that paid the invoice.")
  appliedCents!: number;

  @Cents("The part above the balance, which became the customer's credit.")
  creditCents!: number;

  @Moment("When the money arrived, in UTC. For a day without a time, its start.")
  @Index()
  receivedAt!: Date;

  @Text("Reference of the payment, such as on the bank statement.", { nullable: true, personal: kept.books })
  reference: string | null = null;

  /** The payment provider's id of a card payment. */
  @Unique()
  @Text({ nullable: true, personal: kept.books })
  providerPaymentId: string | null = null;

  @Moment("When it was recorded, in UTC.")
  recordedAt!: Date;

  /** Admin who recorded it; null for card payments. */
  @Uuid({ nullable: true, personal: kept.staffLog })
  recordedById: string | null = null;
}

/**
 * A customer's payment of an invoice by card. The row is committed before the card is charged, so that an interrupted
 * payment is recorded later, once (`finish-card-payment.ts`).
 */
@Entity({ tableName: "card_payments" })
@SqlIndex(
  "create unique index card_payments_one_waiting on card_payments (invoice_id) where state in ('pending', 'needs_authentication')",
)
export class CardPayment {
  @RowId()
  id: Opt<string> = randomUUID();

  /** Key of the request. A repeated request continues this payment. */
  @Unique()
  @Text({ personal: "none" })
  key!: string;

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Index()
  @Reference(() => ManualInvoice, { personal: "none" })
  invoice!: ManualInvoice;

  /** AUD cents. */
  @Cents()
  amountCents!: number;

  /** Null for the saved card. */
  @Text({ nullable: true, personal: { kept: "ID of a card that is removed at the payment provider." } })
  paymentMethodId: string | null = null;

  @Text({ personal: "none" })
  state!: "pending" | "needs_authentication" | "paid" | "declined" | "failed";

  /** The payment provider's id. */
  @Text({ nullable: true, personal: kept.books })
  providerPaymentId: string | null = null;

  /** Outcome in words for the customer, such as why the card was declined. */
  @Text({ nullable: true, personal: "none" })
  message: string | null = null;

  @Moment()
  createdAt!: Date;

  @Moment({ nullable: true })
  finishedAt: Date | null = null;
}

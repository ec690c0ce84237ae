import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { kept, Cents, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

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

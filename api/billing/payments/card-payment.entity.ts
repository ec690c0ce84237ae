import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A customer's payment of an invoice by card. The row is committed before the card is charged, so that an interrupted
 * payment is recorded later, once (`finish-card-payment.ts`).
 */
@Entity({ tableName: "card_payments" })
@Index({
  name: "card_payments_one_waiting",
  expression:
    "create unique index card_payments_one_waiting on card_payments (invoice_id) where state in ('pending', 'needs_authentication')",
})
export class CardPayment {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Key of the request. A repeated request continues this payment. */
  @Unique()
  @Property({ type: types.string })
  key!: string;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => ManualInvoice)
  invoice!: ManualInvoice;

  /** AUD cents. */
  @Property({ type: types.integer })
  amountCents!: number;

  /** Null for the saved card. */
  @Property({ type: types.string, nullable: true })
  paymentMethodId: string | null = null;

  @Property({ type: types.string })
  state!: "pending" | "needs_authentication" | "paid" | "declined" | "failed";

  /** The payment provider's id. */
  @Property({ type: types.string, nullable: true })
  providerPaymentId: string | null = null;

  /** Outcome in words for the customer, such as why the card was declined. */
  @Property({ type: types.string, nullable: true })
  message: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  finishedAt: Date | null = null;
}

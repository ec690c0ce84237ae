import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Trigger, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type DocumentKind, documentKinds, type ServiceDays } from "#schema/manual-invoices.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { User } from "#api/people/users/user.entity.ts";

/** An invoice line, in cents without GST. Credits are negative. */
export interface InvoiceLine {
  readonly description: string;
  readonly amountCents: number;
  /** Number of units; only lines of invoices by hand have one. */
  readonly quantity?: number;
  /** Price of a unit. */
  readonly unitCents?: number;
  /** Days of the service; null if the line has none. A line of an earlier document has no member: it has the document's. */
  readonly period?: ServiceDays | null;
}

/** The seller's account for bank transfers. */
export interface BankAccount {
  readonly accountName: string;
  readonly bsb: string;
  readonly accountNumber: string;
}

/** Seller or buyer details as they were when the invoice was issued. */
export interface InvoiceParty {
  /** Company name, or the individual's name if there is no company. */
  readonly name: string;
  /** Name of the contact if `name` is a company. */
  readonly contact: string | null;
  /** Formatted as `99 999 999 999`; null if the buyer has no ABN. */
  readonly abn: string | null;
  readonly address: readonly string[];
  readonly email: string | null;
  /** Only the seller of an invoice by hand has one. */
  readonly bank?: BankAccount;
}

/**
 * A tax invoice, or an adjustment note that refunds one. Never changed after it is issued, which the database enforces.
 * Amounts are AUD cents. Adjustment notes have negative amounts, so totals can simply be summed.
 */
@VisibleTo("signedIn")
@ObjectType({ description: "A tax invoice, or an adjustment note that refunds one. Amounts are AUD cents." })
@Entity({ tableName: "tax_invoices" })
@Index({ properties: ["user", "issuedAt"] })
@Trigger({
  name: "tax_invoices_stay_as_issued",
  timing: "before",
  events: ["update", "delete"],
  body: "raise exception 'A tax invoice stays as it was issued.'",
})
@Index({
  name: "tax_invoices_paid",
  expression: "create index tax_invoices_paid on tax_invoices (paid_at desc, id desc)",
})
@Index({
  name: "tax_invoices_newest",
  expression: "create index tax_invoices_newest on tax_invoices (issued_at desc, id desc)",
})
export class TaxInvoice {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => String, {
    description: "Number without gaps in its series: `100001` for invoices, `A-100001` for adjustment notes.",
  })
  @Unique()
  @Property({ type: types.string })
  number!: string;

  @ManyToOne(() => User)
  user!: User;

  @Field(enumType(documentKinds), { description: documentKinds.meaning })
  @Property({ type: types.string })
  kind!: DocumentKind;

  /** The payment provider's invoice id. One tax invoice is issued per id. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  providerInvoiceId: string | null = null;

  /** The payment provider's refund id. Only adjustment notes have one. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  providerRefundId: string | null = null;

  @Field(() => Date, { description: "The date it was issued, in UTC." })
  @Property({ type: types.datetime })
  issuedAt!: Date;

  @Field(() => Date, { nullable: true, description: "The date it was paid or refunded, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  paidAt: Date | null = null;

  /** End of the day by which an invoice by hand must be paid. Null for card payments. */
  @Field(() => Date, { nullable: true, description: "The date it is due, in UTC. Null if it was paid by card." })
  @Property({ type: types.datetime, nullable: true })
  dueAt: Date | null = null;

  /** The customer's purchase order number. */
  @Property({ type: types.string, nullable: true })
  purchaseOrder: string | null = null;

  /** The customer's credit that was applied when the invoice was issued. */
  @Property({ type: types.integer, default: 0 })
  creditCents: Opt<number> = 0;

  /** Last four digits of the card used, if known. */
  @Property({ type: types.string, nullable: true })
  cardLast4: string | null = null;

  /** Price id in the catalogue at the time the invoice was issued. */
  @Property({ type: types.string, nullable: true })
  planPrice: string | null = null;

  @Field(() => String, { description: "What the invoice is for." })
  @Property({ type: types.string })
  description!: string;

  @Property({ type: types.datetime, nullable: true })
  periodStart: Date | null = null;

  @Property({ type: types.datetime, nullable: true })
  periodEnd: Date | null = null;

  @Property({ type: types.json })
  lines!: InvoiceLine[];

  @Field(() => Int, { description: "Sum of the lines, without GST." })
  @Property({ type: types.integer })
  amountCents!: number;

  @Field(() => Int, { description: "Discount of a promo code, without GST." })
  @Property({ type: types.integer })
  discountCents: Opt<number> = 0;

  @Field(() => Int, { description: "GST; negative for an adjustment note." })
  @Property({ type: types.integer })
  gstCents!: number;

  @Property({ type: types.integer })
  gstBasisPoints!: number;

  @Field(() => Int, { description: "Amount charged, including GST; negative for an adjustment note." })
  @Property({ type: types.integer })
  totalCents!: number;

  @Field(() => String, { description: "Currency of all amounts, always `AUD`." })
  @Property({ type: types.string })
  currency: Opt<string> = "AUD";

  @Property({ type: types.json })
  seller!: InvoiceParty;

  @Property({ type: types.json })
  buyer!: InvoiceParty;

  /** The invoice that an adjustment note refunds. */
  @Index()
  @ManyToOne(() => TaxInvoice, { nullable: true })
  adjusts: TaxInvoice | null = null;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Trigger, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";

/** One line of an invoice, in cents without GST; what is credited is negative. */
export interface InvoiceLine {
  readonly description: string;
  readonly amountCents: number;
}

/** Who sold or bought, as it stood when the invoice was issued. */
export interface InvoiceParty {
  /** Company, or the person where there is none. */
  readonly name: string;
  /** The person, where `name` is a company. */
  readonly contact: string | null;
  /** As `99 999 999 999`; null for buyers without one. */
  readonly abn: string | null;
  /** Lines of the address. */
  readonly address: readonly string[];
  readonly email: string | null;
}

/**
 * A tax invoice, or an adjustment note over one. Issued once and never changed, which the database enforces; amounts
 * are AUD cents, those of an adjustment note negative, so that the books add up by summing.
 */
@ObjectType({ description: "A tax invoice, or an adjustment note over one. Amounts are AUD cents." })
@Entity({ tableName: "tax_invoices" })
@Index({ properties: ["user", "issuedAt"] })
@Trigger({
  name: "tax_invoices_stay_as_issued",
  timing: "before",
  events: ["update", "delete"],
  body: "raise exception 'A tax invoice stays as it was issued.'",
})
@Index({
  name: "tax_invoices_newest",
  expression: "create index tax_invoices_newest on tax_invoices (issued_at desc, id desc)",
})
export class TaxInvoice {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => String, { description: "Gapless within its kind: `100001`, adjustment notes `A-100001`." })
  @Unique()
  @Property({ type: types.string })
  number!: string;

  @ManyToOne(() => User)
  user!: User;

  @Field(() => String, { description: "`invoice` or `adjustment`." })
  @Property({ type: types.string })
  kind!: "invoice" | "adjustment";

  /** What the payment provider calls the invoice; each is issued once. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  providerInvoiceId: string | null = null;

  /** What the payment provider calls the refund behind an adjustment note. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  providerRefundId: string | null = null;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  issuedAt!: Date;

  @Field(() => Date, { nullable: true, description: "When it was paid, or refunded; UTC." })
  @Property({ type: types.datetime, nullable: true })
  paidAt: Date | null = null;

  /** Last four digits of the card it was paid with, where known. */
  @Property({ type: types.string, nullable: true })
  cardLast4: string | null = null;

  /** Price id of the catalogue at the time. */
  @Property({ type: types.string, nullable: true })
  planPrice: string | null = null;

  @Field(() => String)
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

  @Field(() => Int)
  @Property({ type: types.integer })
  discountCents: Opt<number> = 0;

  @Field(() => Int)
  @Property({ type: types.integer })
  gstCents!: number;

  @Property({ type: types.integer })
  gstBasisPoints!: number;

  @Field(() => Int, { description: "What was charged, GST included; negative for an adjustment note." })
  @Property({ type: types.integer })
  totalCents!: number;

  @Field(() => String)
  @Property({ type: types.string })
  currency: Opt<string> = "AUD";

  @Property({ type: types.json })
  seller!: InvoiceParty;

  @Property({ type: types.json })
  buyer!: InvoiceParty;

  /** The invoice that an adjustment note refers to. */
  @Index()
  @ManyToOne(() => TaxInvoice, { nullable: true })
  adjusts: TaxInvoice | null = null;
}

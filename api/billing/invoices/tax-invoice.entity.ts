import type { Opt } from "@mikro-orm/core";
import { Entity, Index, OneToOne, Trigger, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { formatAddressLines } from "#schema/address-forms.ts";
import { type DocumentKind, documentKinds, type ServiceDays } from "#schema/manual-invoice.ts";
import { isBelowCardMinimum } from "#schema/money.ts";
import {
  Cents,
  Choice,
  Classified,
  Integer,
  Json,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
} from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { brand } from "#schema/brand.ts";

const byTaxLaw = { kept: "Australian tax law: unchanged for 5 years." };

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
@SqlIndex("create index tax_invoices_paid on tax_invoices (paid_at desc, id desc)")
@SqlIndex("create index tax_invoices_gst_free on tax_invoices (id) where gst_basis_points = 0")
@SqlIndex("create index tax_invoices_newest on tax_invoices (issued_at desc, id desc)")
export class TaxInvoice {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Text("Number without gaps in its series: `100001` for invoices, `A-100001` for adjustment notes.", {
    personal: "none",
  })
  @Unique()
  number!: string;

  @Reference(() => User, { personal: byTaxLaw })
  user!: User;

  @Choice(documentKinds)
  kind!: DocumentKind;

  /** The payment provider's invoice id. One tax invoice is issued per id. */
  @Unique()
  @Text({ nullable: true, personal: byTaxLaw })
  providerInvoiceId: string | null = null;

  /** The payment provider's refund id. Only adjustment notes have one. */
  @Unique()
  @Text({ nullable: true, personal: byTaxLaw })
  providerRefundId: string | null = null;

  @Moment("The date it was issued, in UTC.")
  issuedAt!: Date;

  @Moment("The date it was paid or refunded, in UTC.", { nullable: true })
  paidAt: Date | null = null;

  /** End of the day by which an invoice by hand must be paid. Null for card payments. */
  @Moment("The date it is due, in UTC. Null if it was paid by card.", { nullable: true })
  dueAt: Date | null = null;

  /** The customer's purchase order number. */
  @Text({ nullable: true, personal: byTaxLaw })
  purchaseOrder: string | null = null;

  /** The customer's credit that was applied when the invoice was issued. */
  @Cents({ default: 0 })
  creditCents: Opt<number> = 0;

  /** Last four digits of the card used, if known. */
  @Text({ nullable: true, personal: byTaxLaw })
  cardLast4: string | null = null;

  /** Price id in the catalogue at the time the invoice was issued. */
  @Text({ nullable: true, personal: "none" })
  planPrice: string | null = null;

  @Text("What the invoice is for.", { personal: "none" })
  description!: string;

  @Moment({ nullable: true })
  periodStart: Date | null = null;

  @Moment({ nullable: true })
  periodEnd: Date | null = null;

  @Json({ personal: "none" })
  lines!: InvoiceLine[];

  @Cents("Sum of the lines, without GST.")
  amountCents!: number;

  @Cents("Discount of a promo code, without GST.")
  discountCents: Opt<number> = 0;

  @Cents("GST; negative for an adjustment note.")
  gstCents!: number;

  @Integer()
  gstBasisPoints!: number;

  @Cents("Amount charged, including GST; negative for an adjustment note.")
  totalCents!: number;

  @Text("Currency of all amounts, always `AUD`.", { personal: "none" })
  currency: Opt<string> = "AUD";

  @Json({ personal: "none" })
  seller!: InvoiceParty;

  @Json({ personal: byTaxLaw })
  buyer!: InvoiceParty;

  /** The invoice that an adjustment note refunds. */
  @Index()
  @Reference(() => TaxInvoice, { nullable: true, personal: "none" })
  adjusts: TaxInvoice | null = null;

  /** The invoice to another buyer that this one replaces (docs/domain.md#reissue). Money stays with the first one. */
  @Classified("none")
  @OneToOne(() => TaxInvoice, { nullable: true, owner: true })
  replaces: TaxInvoice | null = null;
}

/**
 * Returns whether the payment provider adds the amount of an invoice to the next card payment, because a card can't pay so
 * little. The provider calls such an invoice paid. Invoices by hand, which have a due date, are paid by themselves.
 */
export function isDeferredCharge(
  invoice: Pick<TaxInvoice, "dueAt" | "totalCents"> & { readonly kind: string },
): boolean {
  return invoice.kind === "invoice" && invoice.dueAt === null && isBelowCardMinimum(invoice.totalCents);
}

/** Returns the vendor's current details from the brand file. */
export function getSeller(): InvoiceParty {
  const { legalName, abn, address } = brand.company;
  return { name: legalName, contact: null, abn, address: toAddressLines(address), email: brand.mailboxes.sales.email };
}

/** Returns the vendor's current details for a document that is paid by bank transfer. */
export const getSellerWithBank = (): InvoiceParty => ({ ...getSeller(), bank: brand.company.bank });

/** Splits an address into lines: the street, the town and the country. */
function toAddressLines(address: string): string[] {
  const parts = address.split(", ");
  return [parts.slice(0, -2).join(", "), ...parts.slice(-2)].filter(Boolean);
}

type BuyerDetails = Pick<
  User,
  | "firstName"
  | "lastName"
  | "companyName"
  | "abn"
  | "unitNumber"
  | "streetNumber"
  | "streetName"
  | "city"
  | "state"
  | "postCode"
  | "country"
>;

/** Returns a customer's current details: company or name, ABN and address. */
export function toBuyer(user: BuyerDetails): InvoiceParty {
  const fullName = `${user.firstName} ${user.lastName}`;
  return {
    name: user.companyName || fullName,
    contact: user.companyName ? fullName : null,
    abn: user.abn || null,
    address: formatAddressLines(user),
    email: null,
  };
}

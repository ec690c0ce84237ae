import type { Opt } from "@mikro-orm/core";
import { Entity, Index, OneToOne, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import {
  kept,
  Cents,
  Classified,
  Integer,
  Json,
  LongText,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  Uuid,
} from "#api/platform/database/columns.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { productLevels } from "#schema/product-level.ts";
import { Allow, enumType, VisibleTo } from "#api/platform/graphql/declare.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

@VisibleTo("signedIn")
@ObjectType({ description: "A line of an invoice by hand. Cents are AUD without GST." })
export class ManualInvoiceLine {
  @Field(() => String, { description: "What the line is for." })
  description!: string;

  @Field(() => Int, { description: "Number of units." })
  quantity!: number;

  @Field(() => Int, { description: "Price of a unit." })
  unitCents!: number;

  @Field(() => DayScalar, {
    nullable: true,
    description: "First day of the service. Null for a line that is earned when the invoice is issued.",
  })
  firstDay?: string | null;

  @Field(() => DayScalar, { nullable: true, description: "Last day of the service." })
  lastDay?: string | null;
}

@VisibleTo("signedIn")
@ObjectType({ description: "The licence to issue or extend when an invoice is paid." })
export class InvoicedLicence {
  @Field(() => ID, { nullable: true, description: "The licence to extend. Null for a new licence." })
  licenceId!: string | null;

  @Field(enumType(productLevels), { description: productLevels.meaning })
  productLevel!: number;

  @Field(() => Int, { description: "Number of users, or of seats of a concurrent licence." })
  numberOfUsers!: number;

  @Field(() => Int, { description: "Number of devices that can be activated." })
  numberOfMachines!: number;

  @Field(() => DayScalar, { description: "Last day of the licence." })
  until!: string;

  /** Users and devices of the extended licence when the draft was written. */
  usersBefore?: number;
  machinesBefore?: number;
}

/**
 * An invoice that staff write for a customer. Amounts are AUD cents. The number, and what the customer receives, are in
 * the tax invoice, which never changes (docs/domain.md#manual-invoices). Code that changes it locks the user first.
 */
@VisibleTo("admin", { readThrough: "Query.manualInvoice" })
@ObjectType({ description: "An invoice that staff write for a customer. Amounts are AUD cents." })
@Entity({ tableName: "manual_invoices" })
@SqlIndex("create index manual_invoices_due on manual_invoices (due_at, id) where status = 'open'")
@SqlIndex("create index manual_invoices_drafts on manual_invoices (created_at desc, id desc) where status = 'draft'")
export class ManualInvoice {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** Key of the request that created it; a repeated request returns this invoice. */
  @Unique()
  @Text({ personal: "none" })
  key!: string;

  /** Digest of what that request sent. The invoice may have been changed since. Null if an earlier version created it. */
  @Text({ nullable: true, personal: "none" })
  requestDigest: string | null = null;

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Text({ personal: "none" })
  status: Opt<"draft" | "open" | "paid" | "void"> = "draft";

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Json("The lines, in order.", { field: () => [ManualInvoiceLine], personal: kept.books })
  lines!: ManualInvoiceLine[];

  @Integer("GST rate in basis points.")
  gstBasisPoints!: number;

  @Cents("Sum of the lines, without GST.")
  amountCents!: number;

  @Cents("GST.")
  gstCents!: number;

  @Cents("Amount including GST.")
  totalCents!: number;

  @Cents("The customer's goodwill credit, by which the total was reduced, including GST.", { default: 0 })
  goodwillCents: Opt<number> = 0;

  @Cents("The customer's credit that paid a part, or all.")
  creditCents: Opt<number> = 0;

  @Cents("Sum of the payments received for it, without overpayments.")
  paidCents: Opt<number> = 0;

  @Moment("End of the day by which it must be paid, in UTC. Null in a draft that is due 14 days after issue.", {
    nullable: true,
  })
  dueAt: Date | null = null;

  @Text("The customer's purchase order number.", { nullable: true, personal: kept.books })
  purchaseOrder: string | null = null;

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Json("The licence to issue or extend when the invoice is paid. Null if there is none.", {
    field: () => InvoicedLicence,
    nullable: true,
    personal: "none",
  })
  licenceTerms: InvoicedLicence | null = null;

  /** The licence that was issued or extended when the invoice was paid. */
  @Index()
  @Reference(() => Licence, { nullable: true, personal: "none" })
  licence: Licence | null = null;

  /** The numbered document; null in a draft. */
  @Classified("none")
  @OneToOne(() => TaxInvoice, { nullable: true, owner: true })
  taxInvoice: TaxInvoice | null = null;

  /** The adjustment note that cancels a void invoice. */
  @Classified("none")
  @OneToOne(() => TaxInvoice, { nullable: true, owner: true })
  voidNote: TaxInvoice | null = null;

  @LongText("The reason for voiding it.", { nullable: true, personal: kept.books })
  voidReason: string | null = null;

  @Moment("When it was created, in UTC.")
  createdAt!: Date;

  /** Admin who created it. */
  @Uuid({ nullable: true, personal: kept.staffLog })
  createdById: string | null = null;

  @Moment("When it got its number, in UTC.", { nullable: true })
  openedAt: Date | null = null;

  @Moment("When it was paid in full, in UTC.", { nullable: true })
  paidAt: Date | null = null;

  @Moment("When it became void, in UTC.", { nullable: true })
  voidedAt: Date | null = null;

  /** The last reminder, as days after the due date. */
  @Integer({ nullable: true })
  remindedDays: number | null = null;

  @Integer("Number of changes to the draft, to detect concurrent edits.")
  revision: Opt<number> = 1;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, OneToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { productLevels } from "#schema/catalogue.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
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
}

/**
 * An invoice that staff write for a customer. Amounts are AUD cents. The number, and what the customer receives, are in
 * the tax invoice, which never changes (docs/domain.md#manual-invoices). Code that changes it locks the user first.
 */
@VisibleTo("admin", { readThrough: "Query.manualInvoice" })
@ObjectType({ description: "An invoice that staff write for a customer. Amounts are AUD cents." })
@Entity({ tableName: "manual_invoices" })
@Index({
  name: "manual_invoices_due",
  expression: "create index manual_invoices_due on manual_invoices (due_at, id) where status = 'open'",
})
@Index({
  name: "manual_invoices_drafts",
  expression:
    "create index manual_invoices_drafts on manual_invoices (created_at desc, id desc) where status = 'draft'",
})
export class ManualInvoice {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Key of the request that created it; a repeated request returns this invoice. */
  @Unique()
  @Property({ type: types.string })
  key!: string;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Property({ type: types.string })
  status: Opt<"draft" | "open" | "paid" | "void"> = "draft";

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Field(() => [ManualInvoiceLine], { description: "The lines, in order." })
  @Property({ type: types.json })
  lines!: ManualInvoiceLine[];

  @Field(() => Int, { description: "GST rate in basis points." })
  @Property({ type: types.integer })
  gstBasisPoints!: number;

  @Field(() => Int, { description: "Sum of the lines, without GST." })
  @Property({ type: types.integer })
  amountCents!: number;

  @Field(() => Int, { description: "GST." })
  @Property({ type: types.integer })
  gstCents!: number;

  @Field(() => Int, { description: "Amount including GST." })
  @Property({ type: types.integer })
  totalCents!: number;

  @Field(() => Int, { description: "The customer's goodwill credit, by which the total was reduced, including GST." })
  @Property({ type: types.integer, default: 0 })
  goodwillCents: Opt<number> = 0;

  @Field(() => Int, { description: "The customer's credit that paid a part, or all." })
  @Property({ type: types.integer })
  creditCents: Opt<number> = 0;

  @Field(() => Int, { description: "Sum of the payments received for it, without overpayments." })
  @Property({ type: types.integer })
  paidCents: Opt<number> = 0;

  @Field(() => Date, {
    nullable: true,
    description: "End of the day by which it must be paid, in UTC. Null in a draft that is due 14 days after issue.",
  })
  @Property({ type: types.datetime, nullable: true })
  dueAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "The customer's purchase order number." })
  @Property({ type: types.string, nullable: true })
  purchaseOrder: string | null = null;

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @Field(() => InvoicedLicence, {
    nullable: true,
    description: "The licence to issue or extend when the invoice is paid. Null if there is none.",
  })
  @Property({ type: types.json, nullable: true })
  licenceTerms: InvoicedLicence | null = null;

  /** The licence that was issued or extended when the invoice was paid. */
  @Index()
  @ManyToOne(() => Licence, { nullable: true })
  licence: Licence | null = null;

  /** The numbered document; null in a draft. */
  @OneToOne(() => TaxInvoice, { nullable: true, owner: true })
  taxInvoice: TaxInvoice | null = null;

  /** The adjustment note that cancels a void invoice. */
  @OneToOne(() => TaxInvoice, { nullable: true, owner: true })
  voidNote: TaxInvoice | null = null;

  @Field(() => String, { nullable: true, description: "The reason for voiding it." })
  @Property({ type: types.text, nullable: true })
  voidReason: string | null = null;

  @Field(() => Date, { description: "When it was created, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  /** Admin who created it. */
  @Property({ type: types.uuid, nullable: true })
  createdById: string | null = null;

  @Field(() => Date, { nullable: true, description: "When it got its number, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  openedAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When it was paid in full, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  paidAt: Date | null = null;

  @Field(() => Date, { nullable: true, description: "When it became void, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  voidedAt: Date | null = null;

  /** The last reminder, as days after the due date. */
  @Property({ type: types.integer, nullable: true })
  remindedDays: number | null = null;

  @Field(() => Int, { description: "Number of changes to the draft, to detect concurrent edits." })
  @Property({ type: types.integer })
  revision: Opt<number> = 1;
}

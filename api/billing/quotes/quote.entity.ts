import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { InvoiceLine, InvoiceParty } from "#api/billing/invoices/tax-invoice.entity.ts";

/** The content of a quote as the customer received it. Amounts are AUD cents. */
export interface QuoteDocument {
  readonly description: string;
  readonly purchaseOrder: string | null;
  readonly lines: readonly InvoiceLine[];
  readonly amountCents: number;
  readonly gstCents: number;
  readonly gstBasisPoints: number;
  readonly seller: InvoiceParty;
  readonly buyer: InvoiceParty;
}

/**
 * A draft invoice that was sent to a customer, who accepts it with the emailed link. A new quote or a change of the draft
 * withdraws the earlier one (docs/domain.md#quotes).
 */
@VisibleTo("admin")
@ObjectType({ description: "A draft invoice that was sent to a customer to accept." })
@Entity({ tableName: "quotes" })
export class Quote {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => String, { description: "Such as `Q-100001`." })
  @Unique()
  @Property({ type: types.string })
  number!: string;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => ManualInvoice, { deleteRule: "cascade" })
  invoice!: ManualInvoice;

  /** Revision of the draft that was sent. */
  @Property({ type: types.integer })
  revision!: number;

  /** SHA-256 of the secret in the emailed link. */
  @Unique()
  @Property({ type: types.string })
  tokenHash!: string;

  @Property({ type: types.json })
  document!: QuoteDocument;

  @Field(() => Int, { description: "Amount including GST, in AUD cents." })
  @Property({ type: types.integer })
  totalCents!: number;

  @Field(() => Date, { description: "When it was sent, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  /** Admin who sent it. */
  @Property({ type: types.uuid, nullable: true })
  createdById: string | null = null;

  @Field(() => Date, { description: "End of its last day, in UTC." })
  @Property({ type: types.datetime })
  validUntil!: Date;

  @Field(() => Date, { nullable: true, description: "When the customer accepted it, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  acceptedAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "Name of the person who accepted it." })
  @Property({ type: types.string, nullable: true })
  acceptedByName: string | null = null;

  @Field(() => String, { nullable: true, description: "Role of the person who accepted it." })
  @Property({ type: types.string, nullable: true })
  acceptedByRole: string | null = null;

  @Field(() => Date, { nullable: true, description: "When it was replaced, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  withdrawnAt: Date | null = null;
}

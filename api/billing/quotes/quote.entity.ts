import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { kept, Cents, Integer, Json, Moment, Reference, RowId, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import type { InvoiceLine, TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

const asAccepted = { kept: "Part of the invoice that the customer accepted; other quotes are deleted." };

/** The content of a quote as the customer received it. Amounts are AUD cents. */
export interface QuoteDocument
  extends Pick<
    TaxInvoice,
    "description" | "purchaseOrder" | "amountCents" | "gstCents" | "gstBasisPoints" | "seller" | "buyer"
  > {
  readonly lines: readonly InvoiceLine[];
}

/**
 * A draft invoice that was sent to a customer, who accepts it with the emailed link. A new quote or a change of the draft
 * withdraws the earlier one (docs/domain.md#quotes).
 */
@VisibleTo("admin")
@ObjectType({ description: "A draft invoice that was sent to a customer to accept." })
@Entity({ tableName: "quotes" })
export class Quote {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Text("Such as `Q-100001`.", { personal: "none" })
  @Unique()
  number!: string;

  @Index()
  @Reference(() => User, { personal: asAccepted })
  user!: User;

  @Index()
  @Reference(() => ManualInvoice, { deleteRule: "cascade", personal: "none" })
  invoice!: ManualInvoice;

  /** Revision of the draft that was sent. */
  @Integer()
  revision!: number;

  /** SHA-256 of the secret in the emailed link. */
  @Unique()
  @Text({ personal: "none" })
  tokenHash!: string;

  @Json({ personal: asAccepted })
  document!: QuoteDocument;

  @Cents("Amount including GST, in AUD cents.")
  totalCents!: number;

  @Moment("When it was sent, in UTC.")
  createdAt!: Date;

  /** Admin who sent it. */
  @Uuid({ nullable: true, personal: kept.staffLog })
  createdById: string | null = null;

  @Moment("End of its last day, in UTC.")
  validUntil!: Date;

  @Moment("When the customer accepted it, in UTC.", { nullable: true })
  acceptedAt: Date | null = null;

  @Text("Name of the person who accepted it.", { nullable: true, personal: asAccepted })
  acceptedByName: string | null = null;

  @Text("Role of the person who accepted it.", { nullable: true, personal: asAccepted })
  acceptedByRole: string | null = null;

  @Moment("When it was replaced or its draft was changed, in UTC.", { nullable: true })
  withdrawnAt: Date | null = null;
}

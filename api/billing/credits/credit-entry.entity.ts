import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { type CreditKind, creditKinds } from "#schema/manual-invoice.ts";
import { kept, Cents, Choice, LongText, Moment, Reference, RowId, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A change of a customer's credit, in AUD cents. The credit is the sum of the entries. Entries are written with the
 * user's row locked, and never changed or deleted.
 */
@VisibleTo("signedIn")
@ObjectType({ description: "A change of a customer's credit. Amounts are AUD cents." })
@Entity({ tableName: "credit_entries" })
@Index({ properties: ["user", "createdAt"] })
export class CreditEntry {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** Key of the request that added it; a repeated request returns this entry. Null for entries by the system. */
  @Unique()
  @Text({ nullable: true, personal: "none" })
  key: string | null = null;

  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Choice(creditKinds)
  kind!: CreditKind;

  @Cents("Positive if the credit grew.")
  amountCents!: number;

  /** The part of the amount that staff gave. The rest is money that the customer paid. */
  @Cents("The part that staff gave. It reduces the price of an invoice; the rest is money that the customer paid.", {
    default: 0,
  })
  goodwillCents: Opt<number> = 0;

  @LongText("The reason, which the customer sees.", { personal: kept.books })
  reason!: string;

  @Index()
  @Reference(() => ManualInvoice, { nullable: true, personal: "none" })
  invoice: ManualInvoice | null = null;

  /** The numbered document at the time of the entry. It stays the same if the invoice is re-issued. */
  @Index()
  @Reference(() => TaxInvoice, { nullable: true, personal: "none" })
  taxInvoice: TaxInvoice | null = null;

  @Moment("When it was recorded, in UTC.")
  createdAt!: Date;

  /** Admin who added it; null for entries by the system. */
  @Uuid({ nullable: true, personal: kept.staffLog })
  createdById: string | null = null;
}

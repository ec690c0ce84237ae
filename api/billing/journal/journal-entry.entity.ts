import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Trigger, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { JournalAccount, AccountingFile } from "#schema/accounting.ts";
import {
  kept,
  Cents,
  Day,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
  Uuid,
  Json,
} from "#api/platform/database/columns.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/** What an entry records, as the journal file names it. */
type JournalEvent = "Document" | "Card payment" | "Payment" | "Refund" | "Credit used" | "Credit returned";

/**
 * Cents that an event moves from a credited to a debited account, so entries always balance (docs/domain.md#journal). Every
 * report of money is a sum of entries. `recordEntries` writes them in the transaction of the event, and they never change.
 */
@Entity({ tableName: "journal_entries" })
@Unique({ properties: ["sourceId", "event", "debit", "credit"] })
@Index({ properties: ["user", "day"] })
@SqlIndex(
  "create index journal_entries_paid on journal_entries (day) include (event, cents, gst_cents, document_id) where credit = 'receivable' and debit <> 'goodwill'",
)
@Trigger({
  name: "journal_entries_stay_as_recorded",
  timing: "before",
  events: ["update", "delete"],
  body: "raise exception 'A journal entry stays as it was recorded.'",
})
export class JournalEntry {
  @RowId()
  id: Opt<string> = randomUUID();

  @Text({ personal: "none" })
  event!: JournalEvent;

  /** When it is dated, in an open month. */
  @Moment()
  at!: Date;

  /** Day of `at` in the vendor's time zone. */
  @Index()
  @Day()
  day!: string;

  @Reference(() => User, { personal: kept.books })
  user!: User;

  /** The document, payment or change of the credit that the event is about. */
  @Uuid({ personal: "none" })
  sourceId!: string;

  /** The document that was issued, paid or refunded. It stays the same if it is re-issued. Null for credit without one. */
  @Index()
  @Reference(() => TaxInvoice, { nullable: true, personal: "none" })
  document: TaxInvoice | null = null;

  /** The invoice by hand whose balance it changes. */
  @Index()
  @Reference(() => ManualInvoice, { nullable: true, personal: "none" })
  invoice: ManualInvoice | null = null;

  @Text({ personal: "none" })
  debit!: JournalAccount;

  @Text({ personal: "none" })
  credit!: JournalAccount;

  /** Negative in an entry that reverses earlier ones, such as that of an adjustment note. */
  @Cents()
  cents!: number;

  /** GST in an amount that was paid or refunded, for a cash basis. The GST of a document is an entry of its own. */
  @Cents({ default: 0 })
  gstCents: Opt<number> = 0;
}

/** An entry of the journal, as an export contained it. */
export interface ExportedEntry {
  readonly day: string;
  readonly event: string;
  readonly number: string;
  readonly account: string;
  readonly cents: number;
}

/** What a file for an accounting program contained, as entries of the journal (docs/domain.md#accounting-changes). */
@Entity({ tableName: "accounting_exports" })
@Index({ properties: ["file", "at"] })
export class AccountingExport {
  @RowId()
  id: Opt<string> = randomUUID();

  @Text({ personal: "none" })
  file!: AccountingFile;

  /** First exported day in the vendor's time zone. */
  @Day()
  startDate!: string;

  /** Last exported day, at most the day of the export. */
  @Day()
  endDate!: string;

  @Moment()
  at!: Date;

  @Uuid({ nullable: true, personal: kept.staffLog })
  byId: string | null = null;

  @Json({ personal: "none" })
  entries!: ExportedEntry[];
}

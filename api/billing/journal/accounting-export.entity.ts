import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { AccountingFile } from "#schema/accounting.ts";
import { kept, Day, Json, Moment, RowId, Text, Uuid } from "#api/platform/database/columns.ts";

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

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { AccountingFile } from "#schema/accounting.ts";

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
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Property({ type: types.string })
  file!: AccountingFile;

  /** First exported day in the vendor's time zone. */
  @Property({ type: types.date })
  startDate!: string;

  /** Last exported day, at most the day of the export. */
  @Property({ type: types.date })
  endDate!: string;

  @Property({ type: types.datetime })
  at!: Date;

  @Property({ type: types.uuid, nullable: true })
  byId: string | null = null;

  @Property({ type: types.json })
  entries!: ExportedEntry[];
}

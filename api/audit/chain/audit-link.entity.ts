import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Flag, Moment, Text, Uuid } from "#api/platform/database/columns.ts";
import type { SealedSource } from "./seals.ts";

/** A link of the chain over all audit entries and security events, in the order in which they were sealed. */
@Entity({ tableName: "audit_links" })
export class AuditLink {
  @PrimaryKey({ type: types.bigint, autoincrement: false })
  number!: string;

  @Text({ personal: "none" })
  source!: SealedSource;

  @Unique()
  @Uuid({ personal: "none" })
  entryId!: string;

  /** The time of the entry, which tells whether its retention period is over. */
  @Moment()
  at!: Date;

  /** True for entries that are older than the chain. They were sealed when the chain began. */
  @Flag()
  isAdopted!: boolean;

  /** Seal of the entry. */
  @Text({ personal: "none" })
  seal!: string;

  /** Hash of this link and the one before it. */
  @Text({ personal: "none" })
  hash!: string;
}

/** The key that seals entries, encrypted (decision 0060). The table has one row. */
@Entity({ tableName: "audit_keys" })
export class AuditKey {
  @PrimaryKey({ type: types.string })
  id!: string;

  @Text({ personal: "none" })
  secret!: string;
}

/** An entry that isn't in the chain yet. Written by a trigger, and deleted when the entry gets its link. */
@Entity({ tableName: "unsealed_entries" })
export class UnsealedEntry {
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  number!: string;

  @Text({ personal: "none" })
  source!: SealedSource;

  @Uuid({ personal: "none" })
  entryId!: string;

  @Property({ type: types.boolean, default: false })
  isAdopted = false;
}

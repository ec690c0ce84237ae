import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import type { SealedSource } from "./seals.ts";

/** A link of the chain over all audit entries and security events, in the order in which they were sealed. */
@Entity({ tableName: "audit_links" })
export class AuditLink {
  @PrimaryKey({ type: types.bigint, autoincrement: false })
  number!: string;

  @Property({ type: types.string })
  source!: SealedSource;

  @Unique()
  @Property({ type: types.uuid })
  entryId!: string;

  /** The time of the entry, which tells whether its retention period is over. */
  @Property({ type: types.datetime })
  at!: Date;

  /** True for entries that are older than the chain. They were sealed when the chain began. */
  @Property({ type: types.boolean })
  isAdopted!: boolean;

  /** Seal of the entry. */
  @Property({ type: types.string })
  seal!: string;

  /** Hash of this link and the one before it. */
  @Property({ type: types.string })
  hash!: string;
}

/** The key that seals entries, encrypted (decision 0060). The table has one row. */
@Entity({ tableName: "audit_keys" })
export class AuditKey {
  @PrimaryKey({ type: types.string })
  id!: string;

  @Property({ type: types.string })
  secret!: string;
}

/** An entry that isn't in the chain yet. Written by a trigger, and deleted when the entry gets its link. */
@Entity({ tableName: "unsealed_entries" })
export class UnsealedEntry {
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  number!: string;

  @Property({ type: types.string })
  source!: SealedSource;

  @Property({ type: types.uuid })
  entryId!: string;

  @Property({ type: types.boolean, default: false })
  isAdopted = false;
}

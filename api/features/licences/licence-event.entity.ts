import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** What was asked. */
export type LicenceEventKind =
  | "activate"
  | "validate"
  | "deactivate"
  | "move"
  | "portal-deactivate"
  | "issue"
  | "revoke";

/**
 * One row of the append-only history of everything asked of a licence, whatever the answer.
 * Carries plain ids, not relations: history outlives what it speaks of.
 */
@Entity({ tableName: "licence_events" })
@Index({ properties: ["licenceId", "at"] })
export class LicenceEvent {
  @PrimaryKey({ type: types.bigint, autoincrement: true })
  id!: string;

  /** UTC. */
  @Property({ type: types.datetime })
  at!: Date;

  @Property({ type: types.string })
  kind!: LicenceEventKind;

  /** The answer given (DOMAIN §5). */
  @Property({ type: types.smallint })
  resultCode!: number;

  /** Null when the code was not known. */
  @Property({ type: types.uuid, nullable: true })
  licenceId: string | null = null;

  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;

  @Property({ type: types.string, nullable: true })
  machineName: string | null = null;

  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Property({ type: types.string, nullable: true })
  addInVersion: string | null = null;

  @Property({ type: types.string, nullable: true })
  hostVersion: string | null = null;

  @Property({ type: types.string, nullable: true })
  ip: string | null = null;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** What a customer said to a machine that asks. */
export type DeviceAuthorizationDecision = "confirmed" | "denied";

/** A machine's request to be activated by somebody who is signed in (RFC 8628), from its code to what came of it. */
@Entity({ tableName: "device_authorizations" })
export class DeviceAuthorization {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** SHA-256 of the secret that the add-in polls with. */
  @Unique()
  @Property({ type: types.string })
  deviceCodeHash!: string;

  /** Keyed hash of the letters that the person types. */
  @Unique()
  @Property({ type: types.string })
  userCodeHash!: string;

  @Property({ type: types.string })
  machineName!: string;

  @Property({ type: types.string })
  fingerprint!: string;

  @Property({ type: types.json })
  components: Opt<Record<string, string>> = {};

  @Property({ type: types.string, nullable: true })
  osUser: string | null = null;

  @Property({ type: types.string })
  addInVersion!: string;

  /** Where the machine asked from. */
  @Property({ type: types.string })
  ip!: string;

  @Property({ type: types.datetime })
  requestedAt!: Date;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;

  /** Seconds that the add-in waits between two polls; grows when it does not. */
  @Property({ type: types.integer })
  intervalSeconds!: number;

  @Property({ type: types.datetime, nullable: true })
  lastPolledAt: Date | null = null;

  /** Who decided; until then it is nobody's. */
  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade", nullable: true })
  user: User | null = null;

  @Property({ type: types.string, nullable: true })
  decision: DeviceAuthorizationDecision | null = null;

  @Property({ type: types.datetime, nullable: true })
  decidedAt: Date | null = null;

  @Index()
  @ManyToOne(() => Licence, { deleteRule: "cascade", nullable: true })
  licence: Licence | null = null;

  /** The device that gives its place to the machine. */
  @Property({ type: types.uuid, nullable: true })
  replaceDeviceId: string | null = null;

  /** Result code of the activation; null until the add-in fetched it. */
  @Property({ type: types.smallint, nullable: true })
  resultCode: number | null = null;

  /** The place it got. */
  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;
}

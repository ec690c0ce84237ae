import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** The customer's decision on a machine's activation request. */
export type DeviceAuthorizationDecision = "confirmed" | "denied";

/** A machine's request to be activated by a signed-in customer (RFC 8628), with the customer's decision and the result. */
@Entity({ tableName: "device_authorizations" })
export class DeviceAuthorization {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** SHA-256 of the device code that the add-in polls with. */
  @Unique()
  @Property({ type: types.string })
  deviceCodeHash!: string;

  /** Keyed hash of the code that the customer types. */
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

  /** IP address of the machine. */
  @Property({ type: types.string })
  ip!: string;

  @Property({ type: types.datetime })
  requestedAt!: Date;

  @Index()
  @Property({ type: types.datetime })
  expiresAt!: Date;

  /** Seconds between two polls. Grows each time the add-in polls too early. */
  @Property({ type: types.integer })
  intervalSeconds!: number;

  @Property({ type: types.datetime, nullable: true })
  lastPolledAt: Date | null = null;

  /** The customer who approved or denied the request; null while it is pending. */
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

  /** The device that the machine replaces, if any. */
  @Property({ type: types.uuid, nullable: true })
  replaceDeviceId: string | null = null;

  /** Result code of the activation, or null until the add-in has polled after the decision. */
  @Property({ type: types.smallint, nullable: true })
  resultCode: number | null = null;

  /** The device that the activation created or found. */
  @Property({ type: types.uuid, nullable: true })
  deviceId: string | null = null;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Integer, Json, Moment, Reference, RowId, Text, Uuid } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";

/** The customer's decision on a machine's activation request. */
export type DeviceAuthorizationDecision = "confirmed" | "denied";

/** A machine's request to be activated by a signed-in customer (RFC 8628), with the customer's decision and the result. */
@Entity({ tableName: "device_authorizations" })
export class DeviceAuthorization {
  @RowId()
  id: Opt<string> = randomUUID();

  /** SHA-256 of the device code that the add-in polls with. */
  @Unique()
  @Text()
  deviceCodeHash!: string;

  /** Keyed hash of the code that the customer types. */
  @Unique()
  @Text()
  userCodeHash!: string;

  @Text()
  machineName!: string;

  @Text()
  fingerprint!: string;

  @Json()
  components: Opt<Record<string, string>> = {};

  @Text({ nullable: true })
  osUser: string | null = null;

  @Text()
  addInVersion!: string;

  /** IP address of the machine. */
  @Text()
  ip!: string;

  @Moment()
  requestedAt!: Date;

  @Index()
  @Moment()
  expiresAt!: Date;

  /** Seconds between two polls. Grows each time the add-in polls too early. */
  @Integer()
  intervalSeconds!: number;

  @Moment({ nullable: true })
  lastPolledAt: Date | null = null;

  /** The customer who approved or denied the request; null while it is pending. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", nullable: true })
  user: User | null = null;

  @Text({ nullable: true })
  decision: DeviceAuthorizationDecision | null = null;

  @Moment({ nullable: true })
  decidedAt: Date | null = null;

  @Index()
  @Reference(() => Licence, { deleteRule: "cascade", nullable: true })
  licence: Licence | null = null;

  /** The device that the machine replaces, if any. */
  @Uuid({ nullable: true })
  replaceDeviceId: string | null = null;

  /** Result code of the activation, or null until the add-in has polled after the decision. */
  @Property({ type: types.smallint, nullable: true })
  resultCode: number | null = null;

  /** The device that the activation created or found. */
  @Uuid({ nullable: true })
  deviceId: string | null = null;
}

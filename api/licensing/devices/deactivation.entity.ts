import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { LongText, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Device } from "./device.entity.ts";
import type { DeactivationActor } from "#schema/device.ts";

/** Ledger of deactivations. Rows are never changed. */
@Entity({ tableName: "deactivations" })
@Index({ properties: ["user", "at"] })
@SqlIndex("create index deactivations_newest on deactivations (at desc, id desc)")
export class Deactivation {
  @RowId()
  id: Opt<string> = randomUUID();

  @Reference(() => User, { personal: { kept: "Needed for the yearly limit of a licence." } })
  user!: User;

  @Index()
  @Reference(() => Device, { personal: { kept: "Needed for the yearly limit of a licence." } })
  device!: Device;

  @Moment()
  at!: Date;

  @Text({ personal: "none" })
  by!: DeactivationActor;

  @LongText({ personal: "deleted" })
  reason!: string;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { Device } from "./device.entity.ts";
import type { DeactivationActor } from "#schema/catalogue.ts";

/** Ledger of deactivations. Rows are never changed. */
@Entity({ tableName: "deactivations" })
@Index({ properties: ["user", "at"] })
@Index({
  name: "deactivations_newest",
  expression: "create index deactivations_newest on deactivations (at desc, id desc)",
})
export class Deactivation {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => Device)
  device!: Device;

  @Property({ type: types.datetime })
  at!: Date;

  @Property({ type: types.string })
  by!: DeactivationActor;

  @Property({ type: types.text })
  reason!: string;
}

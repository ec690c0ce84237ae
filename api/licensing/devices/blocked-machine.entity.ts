import type { Opt } from "@mikro-orm/core";
import { Entity, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

@VisibleTo("admin")
@ObjectType({ description: "A machine name refused on every licence of a user." })
@Entity({ tableName: "blocked_machines" })
@Unique({ properties: ["user", "comparedName"] })
@SqlIndex("create index blocked_machines_newest on blocked_machines (blocked_at desc, id desc)")
export class BlockedMachine {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text("Name of the machine. Upper and lower case are the same.")
  machineName!: string;

  /** Trimmed, lower-case form of the name, used for comparisons. */
  @Text()
  comparedName!: string;

  @Moment("When the machine was blocked, in UTC.")
  blockedAt!: Date;
}

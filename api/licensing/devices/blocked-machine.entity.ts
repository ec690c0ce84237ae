import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

@VisibleTo("admin")
@ObjectType({ description: "A machine name refused on every licence of a user." })
@Entity({ tableName: "blocked_machines" })
@Unique({ properties: ["user", "comparedName"] })
@Index({
  name: "blocked_machines_newest",
  expression: "create index blocked_machines_newest on blocked_machines (blocked_at desc, id desc)",
})
export class BlockedMachine {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Field(() => String, { description: "Name of the machine. Upper and lower case are the same." })
  @Property({ type: types.string })
  machineName!: string;

  /** Trimmed, lower-case form of the name, used for comparisons. */
  @Property({ type: types.string })
  comparedName!: string;

  @Field(() => Date, { description: "When the machine was blocked, in UTC." })
  @Property({ type: types.datetime })
  blockedAt!: Date;
}

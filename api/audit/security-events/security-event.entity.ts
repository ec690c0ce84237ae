import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type SecurityEventType, securityEventTypes } from "#schema/security-events.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** One security event. Rows have no foreign keys because they outlive the rows they describe. */
@VisibleTo("admin")
@ObjectType({ description: "Something that matters to the security of accounts, such as a failed sign-in." })
@Entity({ tableName: "security_events" })
@Index({
  name: "security_events_newest",
  expression: "create index security_events_newest on security_events (at desc, id desc)",
})
@Index({
  name: "security_events_of_type",
  expression: "create index security_events_of_type on security_events (type, at desc, id desc)",
})
@Index({
  name: "security_events_of_user",
  expression: "create index security_events_of_user on security_events (user_id, at desc, id desc)",
})
@Index({
  name: "security_events_by_actor",
  expression: "create index security_events_by_actor on security_events (actor_id, at desc, id desc)",
})
@Index({
  name: "security_events_from_address",
  expression: "create index security_events_from_address on security_events (address, at desc, id desc)",
})
export class SecurityEvent {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Field(() => Date, { description: "The time of the event, in UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(enumType(securityEventTypes), { description: "The type." })
  @Property({ type: types.string })
  type!: SecurityEventType;

  @Field(() => ID, { nullable: true, description: "The user whose account the event concerns. Null if unknown." })
  @Property({ type: types.uuid, nullable: true })
  userId: string | null = null;

  @Field(() => ID, { nullable: true, description: "The admin who caused the event on another user's account." })
  @Property({ type: types.uuid, nullable: true })
  actorId: string | null = null;

  @Field(() => String, {
    description: "The IP address of the request. Empty if the system caused the event, or many addresses did.",
  })
  @Property({ type: types.string })
  address!: string;

  /** Fields of the type's rules in `schema/rules/security-event.ts`. Empty after the user was erased. */
  @Property({ type: types.json })
  detail!: Readonly<Record<string, unknown>>;

  @Field(() => Int, {
    description:
      "The number of events that the row stands for. Above 1 when many came from one IP address in a minute.",
  })
  @Property({ type: types.integer, default: 1 })
  count: Opt<number> = 1;

  @Field(() => String, { description: "The id of the request in the server log." })
  @Property({ type: types.string })
  requestId!: string;

  /** Salt of `personalHash`, the hash of `address` and `detail`. Deleted with them. */
  @Property({ type: types.string, nullable: true })
  personalSalt: string | null = null;

  @Property({ type: types.string, nullable: true })
  personalHash: string | null = null;

  /** Proof that the product wrote the row (decision 0060). */
  @Property({ type: types.string, nullable: true })
  seal: string | null = null;
}

import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { type SecurityEventType, securityEventTypes } from "#schema/security-event.ts";
import { kept, Choice, Integer, Json, Moment, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";

/** One security event. Rows have no foreign keys because they outlive the rows they describe. */
@VisibleTo("admin")
@ObjectType({ description: "Something that matters to the security of accounts, such as a failed sign-in." })
@Entity({ tableName: "security_events" })
@SqlIndex("create index security_events_newest on security_events (at desc, id desc)")
@SqlIndex("create index security_events_of_type on security_events (type, at desc, id desc)")
@SqlIndex("create index security_events_of_user on security_events (user_id, at desc, id desc)")
@SqlIndex("create index security_events_by_actor on security_events (actor_id, at desc, id desc)")
@SqlIndex("create index security_events_from_address on security_events (address, at desc, id desc)")
export class SecurityEvent {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Moment("The time of the event, in UTC.")
  at!: Date;

  @Choice(securityEventTypes, "The type.")
  type!: SecurityEventType;

  @Uuid("The user whose account the event concerns. Null if unknown.", { nullable: true, personal: kept.staffLog })
  userId: string | null = null;

  @Uuid("The admin who caused the event on another user's account.", { nullable: true, personal: kept.staffLog })
  actorId: string | null = null;

  @Text("The IP address of the request. Empty if the system caused the event, or many addresses did.", {
    personal: "deleted",
  })
  address!: string;

  /** Fields of the type's rules in `schema/security-event.ts`. Empty after the user was erased. */
  @Json({ personal: "deleted" })
  detail!: Readonly<Record<string, unknown>>;

  @Integer("The number of events that the row stands for. Above 1 when many came from one IP address in a minute.", {
    default: 1,
  })
  count: Opt<number> = 1;

  @Text("The id of the request in the server log.", { personal: kept.staffLog })
  requestId!: string;

  /** Salt of `personalHash`, the hash of `address` and `detail`. Deleted with them. */
  @Text({ nullable: true, personal: "deleted" })
  personalSalt: string | null = null;

  @Text({ nullable: true, personal: "none" })
  personalHash: string | null = null;

  /** Proof that the product wrote the row (decision 0060). */
  @Text({ nullable: true, personal: "none" })
  seal: string | null = null;
}

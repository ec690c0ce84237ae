import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import {
  type SubscribedEventType,
  type WebhookDeliveryStatus,
  webhookDeliveryStatuses,
  webhookEvents,
} from "#schema/webhooks.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumListType, enumType } from "#api/platform/graphql/enum-type.ts";

/** A URL that events are posted to. Each event is signed with the endpoint's secret (decision 0051). */
@VisibleTo("signedIn", { readThrough: "Query.webhookEndpoint" })
@ObjectType({ description: "A URL of the caller that events are posted to." })
@Entity({ tableName: "webhook_endpoints" })
@Index({
  name: "webhook_endpoints_of_owner",
  expression: "create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, created_at, id)",
})
export class WebhookEndpoint {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /**
   * The only user who sees the endpoint. Customers receive events about themselves, and admins about every customer.
   */
  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Field(() => String, { description: "The URL that receives the events." })
  @Property({ type: types.text })
  url!: string;

  @Field(() => String, { description: "A note by its owner. Empty if there is none." })
  @Property({ type: types.string })
  description: Opt<string> = "";

  @Field(enumListType(webhookEvents), { description: "The events sent to the endpoint." })
  @Property({ type: types.json })
  eventTypes!: SubscribedEventType[];

  @Field(() => Boolean, { description: "Whether events are sent to the endpoint." })
  @Property({ type: types.boolean })
  enabled: Opt<boolean> = true;

  @Field(() => Date, {
    nullable: true,
    description: "The date and time we turned the endpoint off, in UTC; null if its owner did.",
  })
  @Property({ type: types.datetime, nullable: true })
  disabledAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "The reason we turned the endpoint off, as a sentence." })
  @Property({ type: types.text, nullable: true })
  disabledReason: string | null = null;

  /** Sealed signing secret. */
  @Property({ type: types.text })
  secret!: string;

  /** Sealed previous secret. Requests are also signed with it until {@link previousSecretUntil}. */
  @Property({ type: types.text, nullable: true })
  previousSecret: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  previousSecretUntil: Date | null = null;

  /** Time of the first failure since the last success; null if the last attempt succeeded. */
  @Property({ type: types.datetime, nullable: true })
  failingSince: Date | null = null;

  @Field(() => Date, { description: "The date and time the endpoint was added, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: "The date and time of the last attempt, in UTC." })
  @Property({ type: types.datetime, nullable: true })
  lastDeliveryAt: Date | null = null;

  @Field(enumType(webhookDeliveryStatuses), {
    nullable: true,
    description:
      "The status of the delivery after the last attempt; `PENDING` if another attempt follows. Null before the first.",
  })
  @Property({ type: types.string, nullable: true })
  lastStatus: WebhookDeliveryStatus | null = null;
}

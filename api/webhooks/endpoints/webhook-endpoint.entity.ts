import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import {
  type SubscribedEventType,
  type WebhookDeliveryStatus,
  webhookDeliveryStatuses,
  webhookEvents,
} from "#schema/webhooks.ts";
import {
  Choice,
  Flag,
  Json,
  LongText,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
} from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumListType } from "#api/platform/graphql/create-type.ts";

/** A URL that events are posted to. Each event is signed with the endpoint's secret (decision 0051). */
@VisibleTo("signedIn", { readThrough: "Query.webhookEndpoint" })
@ObjectType({ description: "A URL of the caller that events are posted to." })
@Entity({ tableName: "webhook_endpoints" })
@SqlIndex("create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, created_at, id)")
export class WebhookEndpoint {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /**
   * The only user who sees the endpoint. Customers receive events about themselves, and admins about every customer.
   */
  @Reference(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @LongText("The URL that receives the events.")
  url!: string;

  @Text("A note by its owner. Empty if there is none.")
  description: Opt<string> = "";

  @Json("The events sent to the endpoint.", { field: enumListType(webhookEvents) })
  eventTypes!: SubscribedEventType[];

  @Flag("Whether events are sent to the endpoint.")
  enabled: Opt<boolean> = true;

  @Moment("The date and time we turned the endpoint off, in UTC; null if its owner did.", { nullable: true })
  disabledAt: Date | null = null;

  @LongText("The reason we turned the endpoint off, as a sentence.", { nullable: true })
  disabledReason: string | null = null;

  /** Sealed signing secret. */
  @LongText()
  secret!: string;

  /** Sealed previous secret. Requests are also signed with it until {@link previousSecretUntil}. */
  @LongText({ nullable: true })
  previousSecret: string | null = null;

  @Moment({ nullable: true })
  previousSecretUntil: Date | null = null;

  /** Time of the first failure since the last success; null if the last attempt succeeded. */
  @Moment({ nullable: true })
  failingSince: Date | null = null;

  @Moment("The date and time the endpoint was added, in UTC.")
  createdAt!: Date;

  @Moment("The date and time of the last attempt, in UTC.", { nullable: true })
  lastDeliveryAt: Date | null = null;

  @Choice(
    webhookDeliveryStatuses,
    "The status of the delivery after the last attempt; `PENDING` if another attempt follows. Null before the first.",
    { nullable: true },
  )
  lastStatus: WebhookDeliveryStatus | null = null;
}

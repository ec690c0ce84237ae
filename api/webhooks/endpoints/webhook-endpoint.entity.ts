import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
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
  Integer,
} from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumListType, VisibleTo } from "#api/platform/graphql/declare.ts";

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

/** The delivery of one event to one endpoint, attempted until it succeeds or fails for good. */
@VisibleTo("signedIn", { readThrough: "WebhookEndpoint.deliveries" })
@ObjectType({ description: "The delivery of one event to one endpoint." })
@Entity({ tableName: "webhook_deliveries" })
@SqlIndex("create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at desc, id desc)")
@SqlIndex(
  "create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where next_attempt_at is not null",
)
@SqlIndex("create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where claimed_until is not null")
@SqlIndex("create index webhook_deliveries_by_age on webhook_deliveries (created_at)")
export class WebhookDelivery {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => WebhookEndpoint, { deleteRule: "cascade", index: false })
  endpoint!: WebhookEndpoint;

  @Index()
  @Reference(() => WebhookEvent, { deleteRule: "cascade" })
  event!: WebhookEvent;

  @Choice(webhookDeliveryStatuses)
  status: Opt<WebhookDeliveryStatus> = "pending";

  @Moment("The date and time the delivery was created, in UTC.")
  createdAt!: Date;

  @Moment("The date and time of the next attempt, in UTC; null once the delivery has succeeded or failed.", {
    nullable: true,
  })
  nextAttemptAt: Date | null = null;

  @Moment("The date and time the endpoint accepted the event, in UTC.", { nullable: true })
  deliveredAt: Date | null = null;

  @Integer()
  attemptCount: Opt<number> = 0;

  /** Time until which a job is expected to attempt the delivery, on the machine's clock. */
  @Moment({ nullable: true })
  queuedUntil: Date | null = null;

  /** Time until which a running attempt keeps others from starting, on the machine's clock. */
  @Moment({ nullable: true })
  claimedUntil: Date | null = null;
}

/** One request to an endpoint and its result. The row is written before the request, so that interrupted attempts are logged. */
@VisibleTo("signedIn")
@ObjectType({ description: "One request to an endpoint and its result." })
@Entity({ tableName: "webhook_attempts" })
@SqlIndex("create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, at, id)")
export class WebhookAttempt {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Reference(() => WebhookDelivery, { deleteRule: "cascade", index: false })
  delivery!: WebhookDelivery;

  @Moment("The date and time the attempt started, in UTC.")
  at!: Date;

  @Integer(
    "Milliseconds from the DNS lookup to the end of the response; 0 if nothing was sent or the attempt was interrupted.",
  )
  durationMs!: number;

  @Integer("HTTP status of the response; null if there was no response.", { nullable: true })
  responseStatus: number | null = null;

  @LongText("The first 1,000 characters of the response body, if it is text.", { nullable: true })
  responseBody: string | null = null;

  @LongText({ nullable: true })
  error: string | null = null;

  /**
   * Time by which the attempt must end, on the machine's clock; null once it has ended. A time in the past means that
   * it was interrupted.
   */
  @Moment({ nullable: true })
  openUntil: Date | null = null;
}

/** An event with at least one subscribed endpoint, written in the transaction that caused it. */
@Entity({ tableName: "webhook_events" })
@SqlIndex("create index webhook_events_by_age on webhook_events (created_at)")
export class WebhookEvent {
  /** Also sent to receivers, so that they can recognise repeated deliveries. */
  @RowId()
  id: Opt<string> = randomUUID();

  /** A type in `schema/webhooks.ts`, or `webhook.test`. */
  @Text()
  type!: string;

  /** The user affected. The event is deleted with their account. Null for a security event without a known user. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", nullable: true })
  user: User | null = null;

  /** The exact body that is signed and sent. */
  @LongText()
  payload!: string;

  @Moment()
  createdAt!: Date;
}

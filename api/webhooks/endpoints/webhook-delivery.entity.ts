import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { type WebhookDeliveryStatus, webhookDeliveryStatuses } from "#schema/webhooks.ts";
import { Choice, Integer, Moment, Reference, RowId, SqlIndex } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { WebhookEvent } from "./webhook-event.entity.ts";

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

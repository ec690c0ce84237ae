import type { Opt } from "@mikro-orm/core";
import { Entity } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { Integer, LongText, Moment, Reference, RowId, SqlIndex } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";

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

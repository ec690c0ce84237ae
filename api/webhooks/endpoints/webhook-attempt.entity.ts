import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";

/** One request to an endpoint and its result. The row is written before the request, so that interrupted attempts are logged. */
@VisibleTo("signedIn")
@ObjectType({ description: "One request to an endpoint and its result." })
@Entity({ tableName: "webhook_attempts" })
@Index({
  name: "webhook_attempts_of_delivery",
  expression: "create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, at, id)",
})
export class WebhookAttempt {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => WebhookDelivery, { deleteRule: "cascade", index: false })
  delivery!: WebhookDelivery;

  @Field(() => Date, { description: "The date and time the attempt started, in UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(() => Int, {
    description:
      "Milliseconds from the DNS lookup to the end of the response; 0 if nothing was sent or the attempt was interrupted.",
  })
  @Property({ type: types.integer })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: "HTTP status of the response; null if there was no response." })
  @Property({ type: types.integer, nullable: true })
  responseStatus: number | null = null;

  @Field(() => String, {
    nullable: true,
    description: "The first 1,000 characters of the response body, if it is text.",
  })
  @Property({ type: types.text, nullable: true })
  responseBody: string | null = null;

  @Property({ type: types.text, nullable: true })
  error: string | null = null;

  /**
   * Time by which the attempt must end, on the machine's clock; null once it has ended. A time in the past means that
   * it was interrupted.
   */
  @Property({ type: types.datetime, nullable: true })
  openUntil: Date | null = null;
}

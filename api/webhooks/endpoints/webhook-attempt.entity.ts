import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { WebhookDelivery } from "./webhook-delivery.entity.ts";

/** One request to an endpoint, and what came of it. Written before it is made, so that one whose process dies is known. */
@ObjectType({ description: "One request to an endpoint, and what came of it." })
@Entity({ tableName: "webhook_attempts" })
@Index({
  name: "webhook_attempts_of_delivery",
  expression: "create index webhook_attempts_of_delivery on webhook_attempts (delivery_id, at, id)",
})
export class WebhookAttempt {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @ManyToOne(() => WebhookDelivery, { deleteRule: "cascade", index: false })
  delivery!: WebhookDelivery;

  @Field(() => Date, { description: "When it began, UTC." })
  @Property({ type: types.datetime })
  at!: Date;

  @Field(() => Int, {
    description:
      "Milliseconds from resolving the name to the end of the answer; 0 where nothing was sent or it was interrupted.",
  })
  @Property({ type: types.integer })
  durationMs!: number;

  @Field(() => Int, { nullable: true, description: "HTTP status; null when no answer came." })
  @Property({ type: types.integer, nullable: true })
  responseStatus: number | null = null;

  @Field(() => String, { nullable: true, description: "The first 1,000 characters of an answer in text." })
  @Property({ type: types.text, nullable: true })
  responseBody: string | null = null;

  @Property({ type: types.text, nullable: true })
  error: string | null = null;

  /** Until then it may be under way, by the machine's clock; null once it is over. What passes it was interrupted. */
  @Property({ type: types.datetime, nullable: true })
  openUntil: Date | null = null;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, ObjectType } from "type-graphql";
import { type WebhookDeliveryStatus, type WebhookEventType, webhookEventTypes } from "#schema/webhooks.ts";
import { User } from "#api/people/users/user.entity.ts";

/** An address to which events are posted, signed with its own secret (decision 0051). */
@ObjectType({ description: "An address of the caller's own to which events are posted." })
@Entity({ tableName: "webhook_endpoints" })
@Index({
  name: "webhook_endpoints_of_owner",
  expression: "create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, created_at, id)",
})
export class WebhookEndpoint {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Nobody else sees it. A customer is told what concerns them, an admin what concerns anyone. */
  @ManyToOne(() => User, { deleteRule: "cascade", index: false })
  owner!: User;

  @Field(() => String)
  @Property({ type: types.text })
  url!: string;

  @Field(() => String)
  @Property({ type: types.string })
  description: Opt<string> = "";

  @Field(() => [String], { description: `Of ${Object.keys(webhookEventTypes).join(", ")}.` })
  @Property({ type: types.json })
  eventTypes!: WebhookEventType[];

  @Field(() => Boolean, { description: "False: nothing is sent to it." })
  @Property({ type: types.boolean })
  enabled: Opt<boolean> = true;

  @Field(() => Date, { nullable: true, description: "When we turned it off, UTC; null when its owner did." })
  @Property({ type: types.datetime, nullable: true })
  disabledAt: Date | null = null;

  @Field(() => String, { nullable: true, description: "Why we turned it off, as a sentence." })
  @Property({ type: types.text, nullable: true })
  disabledReason: string | null = null;

  /** Sealed. */
  @Property({ type: types.text })
  secret!: string;

  /** Sealed: the one before, which signs too until {@link previousSecretUntil}. */
  @Property({ type: types.text, nullable: true })
  previousSecret: string | null = null;

  @Property({ type: types.datetime, nullable: true })
  previousSecretUntil: Date | null = null;

  /** Since when every attempt has failed. */
  @Property({ type: types.datetime, nullable: true })
  failingSince: Date | null = null;

  @Field(() => Date, { description: "UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: "When the last attempt was made, UTC." })
  @Property({ type: types.datetime, nullable: true })
  lastDeliveryAt: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      "Where the delivery of the last attempt stood after it: `delivered`, `pending` (to be tried again) or `failed`.",
  })
  @Property({ type: types.string, nullable: true })
  lastStatus: WebhookDeliveryStatus | null = null;
}

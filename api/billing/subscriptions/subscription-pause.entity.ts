import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Subscription } from "./subscription.entity.ts";

/** A pause of a subscription, for the timeline. At most one of a subscription is running. */
@Entity({ tableName: "subscription_pauses" })
@Index({
  name: "subscription_pauses_running",
  expression:
    "create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null",
})
export class SubscriptionPause {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Subscription, { deleteRule: "cascade" })
  subscription!: Subscription;

  @Property({ type: types.datetime })
  pausedAt!: Date;

  /** Time at which it ends unless the subscription is resumed earlier. */
  @Property({ type: types.datetime })
  until!: Date;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;
}

import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, SqlIndex } from "#api/platform/database/columns.ts";
import { Subscription } from "./subscription.entity.ts";

/** A pause of a subscription, for the timeline. At most one of a subscription is running. */
@Entity({ tableName: "subscription_pauses" })
@SqlIndex(
  "create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null",
)
export class SubscriptionPause {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: "none" })
  subscription!: Subscription;

  @Moment()
  pausedAt!: Date;

  /** Time at which it ends unless the subscription is resumed earlier. */
  @Moment()
  until!: Date;

  @Moment({ nullable: true })
  endedAt: Date | null = null;
}

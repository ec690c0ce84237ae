import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Subscription } from "./subscription.entity.ts";

/** A change of plan that a customer was told the price of; carrying it out charges just that. */
@Entity({ tableName: "subscription_changes" })
export class SubscriptionChange {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Subscription, { deleteRule: "cascade" })
  subscription!: Subscription;

  @Property({ type: types.string })
  planPrice!: string;

  /** The moment for which the provider reckoned the rest of the period. */
  @Property({ type: types.datetime })
  reckonedAt!: Date;

  /** What the card will be charged, cents with GST. */
  @Property({ type: types.integer })
  dueCents!: number;

  @Property({ type: types.datetime, nullable: true })
  doneAt: Date | null = null;
}

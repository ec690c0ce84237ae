import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Subscription } from "./subscription.entity.ts";

/** A quoted plan change. Carrying it out charges exactly the quoted amount. */
@Entity({ tableName: "subscription_changes" })
export class SubscriptionChange {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => Subscription, { deleteRule: "cascade" })
  subscription!: Subscription;

  @Property({ type: types.string })
  planPrice!: string;

  /** Time from which the provider prorated the rest of the period. */
  @Property({ type: types.datetime })
  reckonedAt!: Date;

  /** Amount to charge, in cents including GST. */
  @Property({ type: types.integer })
  dueCents!: number;

  @Property({ type: types.datetime, nullable: true })
  doneAt: Date | null = null;
}

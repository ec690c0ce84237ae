import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Cents, Moment, Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { Subscription } from "./subscription.entity.ts";

/** A quoted plan change. Carrying it out charges exactly the quoted amount. */
@Entity({ tableName: "subscription_changes" })
export class SubscriptionChange {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: "none" })
  subscription!: Subscription;

  @Text({ personal: "none" })
  planPrice!: string;

  /** Time from which the provider prorated the rest of the period. */
  @Moment()
  reckonedAt!: Date;

  /** Amount to charge, in cents including GST. */
  @Cents()
  dueCents!: number;

  @Moment({ nullable: true })
  doneAt: Date | null = null;
}

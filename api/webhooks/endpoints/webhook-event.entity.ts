import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { LongText, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** An event with at least one subscribed endpoint, written in the transaction that caused it. */
@Entity({ tableName: "webhook_events" })
@SqlIndex("create index webhook_events_by_age on webhook_events (created_at)")
export class WebhookEvent {
  /** Also sent to receivers, so that they can recognise repeated deliveries. */
  @RowId()
  id: Opt<string> = randomUUID();

  /** A type in `schema/webhooks.ts`, or `webhook.test`. */
  @Text()
  type!: string;

  /** The user affected. The event is deleted with their account. Null for a security event without a known user. */
  @Index()
  @Reference(() => User, { deleteRule: "cascade", nullable: true })
  user: User | null = null;

  /** The exact body that is signed and sent. */
  @LongText()
  payload!: string;

  @Moment()
  createdAt!: Date;
}

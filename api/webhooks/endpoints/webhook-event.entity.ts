import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** Something that happened and that at least one endpoint is told; written in the transaction in which it happened. */
@Entity({ tableName: "webhook_events" })
@Index({
  name: "webhook_events_by_age",
  expression: "create index webhook_events_by_age on webhook_events (created_at)",
})
export class WebhookEvent {
  /** The id by which receivers know it again, however often it is sent. */
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Of `schema/webhooks.ts`, or `webhook.test`. */
  @Property({ type: types.string })
  type!: string;

  /** Whom it concerns; it is erased with their account. */
  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** The body as it is signed and sent, character for character. */
  @Property({ type: types.text })
  payload!: string;

  @Property({ type: types.datetime })
  createdAt!: Date;
}

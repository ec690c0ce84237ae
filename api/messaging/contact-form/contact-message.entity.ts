import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** Sign that a bot submitted a message. Such messages are stored but not sent. */
export type Suspicion = "honeypot" | "too-fast";

/** A stored copy of a message from the contact form. */
@Entity({ tableName: "contact_messages" })
@Index({
  name: "contact_messages_by_email",
  expression: "create index contact_messages_by_email on contact_messages (lower(email))",
})
export class ContactMessage {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The signed-in sender; null for a visitor. */
  @Index()
  @ManyToOne(() => User, { nullable: true, deleteRule: "set null" })
  user: User | null = null;

  @Property({ type: types.string })
  name!: string;

  @Property({ type: types.string })
  email!: string;

  @Property({ type: types.string })
  phone!: string;

  @Property({ type: types.text })
  message!: string;

  /** The mailbox that received the message, or would have received it. */
  @Property({ type: types.string })
  mailbox!: string;

  /** Set if the message was stored but not sent. */
  @Property({ type: types.string, nullable: true })
  suspicion: Suspicion | null = null;

  @Index()
  @Property({ type: types.datetime })
  receivedAt!: Date;
}

import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { LongText, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Sign that a bot submitted a message. Such messages are stored but not sent. */
export type Suspicion = "honeypot" | "too-fast";

/** A stored copy of a message from the contact form. */
@Entity({ tableName: "contact_messages" })
@SqlIndex("create index contact_messages_by_email on contact_messages (lower(email))")
export class ContactMessage {
  @RowId()
  id: Opt<string> = randomUUID();

  /** The signed-in sender; null for a visitor. */
  @Index()
  @Reference(() => User, { nullable: true, deleteRule: "set null" })
  user: User | null = null;

  @Text()
  name!: string;

  @Text()
  email!: string;

  @Text()
  phone!: string;

  @LongText()
  message!: string;

  /** The mailbox that received the message, or would have received it. */
  @Text()
  mailbox!: string;

  /** Set if the message was stored but not sent. */
  @Text({ nullable: true })
  suspicion: Suspicion | null = null;

  @Index()
  @Moment()
  receivedAt!: Date;
}

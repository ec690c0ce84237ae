import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** Why a message was kept and not mailed: a person would not have sent it like this. */
export type Suspicion = "honeypot" | "too-fast";

/** The copy of a message that somebody sent through the contact form. */
@Entity({ tableName: "contact_messages" })
@Index({
  name: "contact_messages_by_email",
  expression: "create index contact_messages_by_email on contact_messages (lower(email))",
})
export class ContactMessage {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Null for a visitor. */
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

  /** Where it was mailed, or would have been. */
  @Property({ type: types.string })
  mailbox!: string;

  /** Set when it was kept and not mailed. */
  @Property({ type: types.string, nullable: true })
  suspicion: Suspicion | null = null;

  @Index()
  @Property({ type: types.datetime })
  receivedAt!: Date;
}

import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { MailAttachment } from "./mail-attachment.ts";

/** A mail on its way out or gone: the outbox row, written with the change that caused it (DESIGN §2.9). */
@Entity({ tableName: "mails" })
export class Mail {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Order of writing; the clock can be moved back outside production, this cannot. */
  @Property({ type: types.bigint, autoincrement: true })
  number!: Opt<string>;

  @Index()
  @Property({ type: types.string })
  to!: string;

  @Property({ type: types.string, nullable: true })
  replyTo: string | null = null;

  @Property({ type: types.string })
  subject!: string;

  @Property({ type: types.text })
  text!: string;

  @Property({ type: types.text })
  html!: string;

  /** What goes with it, written when it is delivered; null for most mails. */
  @Property({ type: types.json, nullable: true })
  attachment: MailAttachment | null = null;

  /** What the mail announces, such as `trial-ended:<licence id>`: an announcement goes out once, however often its cause is seen. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  dedupeKey: string | null = null;

  @Index()
  @Property({ type: types.datetime })
  createdAt!: Date;

  /** Null until the mail server took it. */
  @Property({ type: types.datetime, nullable: true })
  sentAt: Date | null = null;

  /** Set when the mail server refused the recipient for good; no further attempt is made. */
  @Property({ type: types.datetime, nullable: true })
  refusedAt: Date | null = null;

  /** What the mail server last said, when it did not take the mail. */
  @Property({ type: types.text, nullable: true })
  lastError: string | null = null;

  @Property({ type: types.integer })
  attempts: Opt<number> = 0;
}

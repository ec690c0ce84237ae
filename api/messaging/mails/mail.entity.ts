import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";

/** An email in the outbox, written with the change that caused it (docs/domain.md#emails). */
@Entity({ tableName: "mails" })
@Index({
  name: "mails_by_recipient",
  expression: `create index mails_by_recipient on mails (lower("to"))`,
})
@Index({
  name: "mails_by_reply_address",
  expression: "create index mails_by_reply_address on mails (lower(reply_to)) where reply_to is not null",
})
@Index({
  name: "mails_to_purge",
  expression: `create index mails_to_purge on mails (created_at) where "to" <> ''`,
})
@Index({
  name: "mails_to_erase",
  expression: "create index mails_to_erase on mails (created_at) where erase_when_delivered",
})
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

  /** Set for the last email to an erased user: its text and recipient are removed once the mail server has it. */
  @Property({ type: types.boolean, default: false })
  eraseWhenDelivered: Opt<boolean> = false;
}

/** What remains of an email whose content was removed. */
export const emptyMail = { to: "", replyTo: null, subject: "", text: "", html: "", attachment: null } as const;

/** What a mail carries, by reference: the file is written when the mail is delivered or looked at. */
export interface MailAttachment {
  readonly kind: "tax-invoice";
  readonly invoiceId: string;
  readonly filename: string;
}

/** An attachment as it travels. */
export interface AttachedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Who writes each kind of attachment; `api/app/work.ts` names them, as mails know no other noun. */
export type AttachmentWriters = {
  readonly [Kind in MailAttachment["kind"]]: (context: Context, attachment: MailAttachment) => Promise<AttachedFile>;
};

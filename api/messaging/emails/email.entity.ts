import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Flag, Integer, Json, LongText, Moment, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import type { Context } from "#api/platform/context.ts";

/** An email in the outbox, written with the change that caused it (docs/domain.md#emails). */
@Entity({ tableName: "mails" })
@SqlIndex(`create index mails_by_recipient on mails (lower("to"))`)
@SqlIndex("create index mails_by_reply_address on mails (lower(reply_to)) where reply_to is not null")
@SqlIndex(`create index mails_to_purge on mails (created_at) where "to" <> ''`)
@SqlIndex("create index mails_to_erase on mails (created_at) where erase_when_delivered")
export class Email {
  @RowId()
  id: Opt<string> = randomUUID();

  /** Creation order. Outside production, the clock can be moved back, so `createdAt` isn't enough. */
  @Property({ type: types.bigint, autoincrement: true })
  number!: Opt<string>;

  @Index()
  @Text()
  to!: string;

  @Text({ nullable: true })
  replyTo: string | null = null;

  @Text()
  subject!: string;

  @LongText()
  text!: string;

  @LongText()
  html!: string;

  /**
   * True if the bodies contain a link or a code. They are encrypted until the SMTP server accepts the email, and then
   * removed.
   */
  @Flag({ default: false })
  containsSecret: Opt<boolean> = false;

  /** Reference to the attached file, which is created at delivery. Null for most emails. */
  @Json({ nullable: true })
  attachment: EmailAttachment | null = null;

  /** Identifies the notification, such as `trial-ended:<licence id>`, so that it is sent only once. */
  @Unique()
  @Text({ nullable: true })
  dedupeKey: string | null = null;

  @Index()
  @Moment()
  createdAt!: Date;

  /** When the SMTP server accepted the email; null until then. */
  @Moment({ nullable: true })
  sentAt: Date | null = null;

  /** When the SMTP server refused the recipient permanently. No further attempts are made. */
  @Moment({ nullable: true })
  refusedAt: Date | null = null;

  /** Last error from the SMTP server. */
  @LongText({ nullable: true })
  lastError: string | null = null;

  @Integer()
  attempts: Opt<number> = 0;

  /**
   * True for the last email to an erased user. Its content and recipient are removed once the SMTP server has accepted
   * it.
   */
  @Flag({ default: false })
  eraseWhenDelivered: Opt<boolean> = false;
}

/** Column values of an email after its content is removed. */
export const emptyEmail = { to: "", replyTo: null, subject: "", text: "", html: "", attachment: null } as const;

/** Reference to an attachment. The file is created when the email is delivered or viewed. */
export interface EmailAttachment {
  readonly kind: "tax-invoice" | "quote";
  /** ID of the tax invoice or of the quote. */
  readonly invoiceId: string;
  readonly filename: string;
}

/** An attached file as it is sent. */
export interface AttachedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/**
 * Functions that create each kind of attachment. `api/app/background-work.ts` supplies them, because messaging can't depend on
 * other areas. They return null if the document was deleted.
 */
export type AttachmentWriters = {
  readonly [Kind in EmailAttachment["kind"]]: (
    context: Context,
    attachment: EmailAttachment,
  ) => Promise<AttachedFile | null>;
};

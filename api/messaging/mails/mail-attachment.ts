import type { Context } from "#api/platform/context.ts";

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

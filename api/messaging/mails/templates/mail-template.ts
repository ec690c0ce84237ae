import type { ReactNode } from "react";

/** Where the mail's links lead; without a trailing slash. */
export interface Site {
  readonly publicUrl: string;
}

/** One kind of mail: its subject, the line a mailbox shows beside it, and its content. */
export interface MailTemplate<Data> {
  subject(data: Data): string;
  /** A few words that follow the subject in the list of a mailbox. */
  preview(data: Data): string;
  /** Why the person gets this mail, for its last line. */
  readonly because: string;
  body(data: Data, site: Site): ReactNode;
}

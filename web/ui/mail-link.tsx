import { brand } from "#schema/brand.ts";

/** A link that writes to one of the company's mailboxes. */
export function MailLink({ to }: { to: keyof typeof brand.mailboxes }) {
  const { email } = brand.mailboxes[to];
  return <a href={`mailto:${email}`}>{email}</a>;
}

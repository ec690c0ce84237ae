import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { ContentLink } from "./content-link.tsx";
import { MailLink } from "./mail-link.tsx";
import classes from "./contact-call.module.css";

export interface ContactCallProps {
  mailbox: keyof typeof brand.mailboxes;
  title: string;
  text: string;
}

/** Contact details shown next to a page's text. */
export function ContactCall({ mailbox, title, text }: ContactCallProps) {
  return (
    <aside className={classes.call} data-night data-screen-only aria-labelledby="contact-call">
      <h2 id="contact-call" style={{ color: "var(--xp-ink)", fontSize: "1.375rem" }}>
        {title}
      </h2>
      <p>{text}</p>
      <dl>
        <div>
          <dt>{brand.mailboxes[mailbox].label}</dt>
          <dd>
            <MailLink to={mailbox} />
          </dd>
        </div>
        <div>
          <dt>Contact form</dt>
          <dd>
            <ContentLink to={paths.contactUs.href()}>Contact us</ContentLink>
          </dd>
        </div>
      </dl>
      <p>We reply from {brand.locationLine} during business hours.</p>
    </aside>
  );
}

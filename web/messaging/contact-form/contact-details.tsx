import content from "content:pages/contact-us";
import { brand } from "#schema/brand.ts";
import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./contact-details.module.css";

/**
 * Details shown next to the contact form: mailboxes, reply times, the company's registration numbers and address, and a
 * link to its page on the professional network.
 */
export function ContactDetails() {
  const { company } = brand;
  return (
    <>
      <section>
        <h2 className={classes.title}>Email us directly</h2>
        <dl className={classes.list}>
          {content.mailboxes.map(({ name, for: purpose }) => {
            const { label, email } = brand.mailboxes[name as keyof typeof brand.mailboxes];
            return (
              <div key={name}>
                <dt>{label}</dt>
                <dd>
                  <a href={`mailto:${email}`}>{email}</a>
                  <p className={classes.purpose}>{purpose}</p>
                </dd>
              </div>
            );
          })}
        </dl>
      </section>
      <p className={classes.note}>{content.timeZoneNote}</p>
      <section>
        <h2 className={classes.heading}>{company.legalName}</h2>
        <dl className={classes.list}>
          <div>
            <dt>Australian Business Number (ABN)</dt>
            <dd>{company.abn}</dd>
          </div>
          <div>
            <dt>Australian Company Number (ACN)</dt>
            <dd>{company.acn}</dd>
          </div>
          <div>
            <dt>Address</dt>
            <dd>{company.address}</dd>
          </div>
          <div>
            <dt>Professional network</dt>
            <dd>
              <ContentLink to={brand.networkUrl}>{brand.networkLabel}</ContentLink>
            </dd>
          </div>
        </dl>
      </section>
    </>
  );
}

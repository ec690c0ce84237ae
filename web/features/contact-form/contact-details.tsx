import { brand } from "#schema/brand.ts";
import classes from "./contact-details.module.css";

/** Beside the contact form: the mailboxes, the network, when an answer may come, and who we are by the registries. */
export function ContactDetails() {
  const { company, mailboxes } = brand;
  return (
    <>
      <section>
        <h2 className={classes.title}>Write to us directly</h2>
        <dl className={classes.list}>
          {Object.values(mailboxes).map(({ label, email }) => (
            <div key={email}>
              <dt>{label}</dt>
              <dd>
                <a href={`mailto:${email}`}>{email}</a>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <p>
        We work in {brand.locationLine}. Replies may be delayed when our time zones differ: our night may be your
        working day.
      </p>
      <p>
        Follow us on{" "}
        <a href={brand.networkUrl} rel="noreferrer">
          {brand.networkLabel}
        </a>
        .
      </p>
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
        </dl>
      </section>
    </>
  );
}

import { IconBrandLinkedin, IconMapPin } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import classes from "./contact-line.module.css";

/** The company's location, professional network and three mailboxes. */
export function ContactLine({ stacked = false }: { stacked?: boolean }) {
  return (
    <div className={classes.line} data-stacked={stacked || undefined}>
      <span>
        <IconMapPin size={15} stroke={1.8} aria-hidden="true" />
        {brand.locationLine}
      </span>
      <a href={brand.networkUrl} rel="noreferrer">
        <IconBrandLinkedin size={16} stroke={1.8} aria-hidden="true" />
        {brand.networkLabel}
      </a>
      <Mailboxes labelled={stacked} />
    </div>
  );
}

/** The three mailboxes. `labelled` shows the purpose of each one; otherwise only its accessible name has it. */
export function Mailboxes({ labelled }: { labelled: boolean }) {
  return (
    <ul className={classes.mailboxes} data-labelled={labelled || undefined}>
      {Object.values(brand.mailboxes).map(({ label, email }) => (
        <li key={email}>
          {labelled && <span style={{ fontSize: "0.8125rem" }}>{label}</span>}
          <a
            href={`mailto:${email}`}
            aria-label={labelled ? undefined : `${label}: ${email}`}
            title={labelled ? undefined : label}
          >
            {email}
          </a>
        </li>
      ))}
    </ul>
  );
}

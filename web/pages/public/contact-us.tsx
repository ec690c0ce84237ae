import content from "content:pages/contact-us";
import { ContactDetails } from "#web/messaging/contact-form/contact-details.tsx";
import { ContactForm } from "#web/messaging/contact-form/contact-form.tsx";
import { Band } from "#web/public-ui/band.tsx";
import layout from "#web/public-ui/layout.module.css";
import { PageHero } from "#web/public-ui/page-hero.tsx";
import { Split } from "#web/public-ui/split.tsx";
import classes from "./contact-us.module.css";

export default function ContactUsPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="write-to-us">
        <Split columns="minmax(0, 1.6fr) minmax(0, 1fr)">
          <div className={`${layout.card} ${classes.panel}`}>
            <ContactForm />
          </div>
          <div className={`${classes.panel} ${classes.details}`} data-night>
            <ContactDetails />
          </div>
        </Split>
      </Band>
    </>
  );
}

import content from "content:pages/contact-us";
import { ContactDetails } from "#web/features/contact-form/contact-details.tsx";
import { ContactForm } from "#web/features/contact-form/contact-form.tsx";
import { Band } from "#web/features/public-page/band.tsx";
import { PageHero } from "#web/features/public-page/page-hero.tsx";
import classes from "./contact-us.module.css";

/** Contact us. */
export default function ContactUsPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="write-to-us">
        <div className={classes.layout}>
          <div className={classes.form}>
            <ContactForm />
          </div>
          <div className={classes.details}>
            <ContactDetails />
          </div>
        </div>
      </Band>
    </>
  );
}

import content from "content:pages/contact-us";
import { ContactDetails } from "./contact-details.tsx";
import { ContactForm } from "./contact-form.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import classes from "./contact-us-page.module.css";

export default function ContactUsPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="write-to-us">
        <div className={classes.layout}>
          <div>
            <ContactForm />
          </div>
          <div data-night>
            <ContactDetails />
          </div>
        </div>
      </Band>
    </>
  );
}

import content from "content:pages/contact-us";
import { ContactDetails } from "#web/features/contact-form/contact-details.tsx";
import { ContactForm } from "#web/features/contact-form/contact-form.tsx";
import { SplitLayout } from "#web/ui/page-layout.tsx";

/** Contact us. */
export default function ContactUsPage() {
  return (
    <SplitLayout title={content.heading} lead={content.lead} aside={<ContactDetails />} showAsideEverywhere>
      <ContactForm />
    </SplitLayout>
  );
}

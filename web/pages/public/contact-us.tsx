import { ContactDetails } from "#web/features/contact-form/contact-details.tsx";
import { ContactForm } from "#web/features/contact-form/contact-form.tsx";
import { SplitLayout } from "#web/ui/page-layout.tsx";

/** Contact us. */
export default function ContactUsPage() {
  return (
    <SplitLayout
      title="Contact Us"
      lead="Ask us anything about the product, licences for your company, or your account."
      aside={<ContactDetails />}
      showAsideEverywhere
    >
      <ContactForm />
    </SplitLayout>
  );
}

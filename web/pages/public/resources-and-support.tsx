import content from "content:pages/resources-and-support";
import { brand } from "#schema/brand.ts";
import { Band } from "#web/ui/public/band.tsx";
import { ContactCall } from "#web/ui/public/contact-call.tsx";
import { LinkRows } from "#web/ui/public/link-rows.tsx";
import { PageHero } from "#web/ui/public/page-hero.tsx";
import { ProseBeside } from "#web/ui/public/prose-beside.tsx";
import { LinkButton } from "#web/ui/button.tsx";

/** Where help is, while the knowledge base is being updated. */
export default function ResourcesAndSupportPage() {
  const { title, heading, lead, cards, html } = content;
  return (
    <>
      <PageHero
        title={title}
        heading={heading}
        lead={lead}
        actions={
          <LinkButton size="lg" href={`mailto:${brand.mailboxes.support.email}`}>
            Write to technical support
          </LinkButton>
        }
      />
      <Band id="help" title="Look it up" tone="surface">
        <LinkRows rows={cards} />
      </Band>
      <Band id="technical-support-by-email">
        <ProseBeside html={html}>
          <ContactCall
            mailbox="support"
            title="Ask the people who make it"
            text="Questions go to planners and programmers, who may ask to see the file."
          />
        </ProseBeside>
      </Band>
    </>
  );
}

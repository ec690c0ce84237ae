import content from "content:pages/resources-and-support";
import { brand } from "#schema/brand.ts";
import { Band, ProseWithAside } from "#web/ui/band.tsx";
import { ContactCall } from "#web/ui/contact-call.tsx";
import { LinkRows } from "#web/ui/picture-cards.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { LinkButton } from "#web/ui/button.tsx";

/** Page with links to help resources, while the knowledge base is being updated. */
export default function ResourcesAndSupportPage() {
  const { cards, html } = content;
  return (
    <>
      <PageHero
        content={content}
        actions={
          <LinkButton size="lg" href={`mailto:${brand.mailboxes.support.email}`}>
            Email technical support
          </LinkButton>
        }
      />
      <Band id="help" title="Look it up" tone="surface">
        <LinkRows rows={cards} />
      </Band>
      <Band id="technical-support-by-email">
        <ProseWithAside html={html}>
          <ContactCall
            mailbox="support"
            title="Contact our experts"
            text="Planners and software developers answer your questions. If possible, attach the schedule."
          />
        </ProseWithAside>
      </Band>
    </>
  );
}

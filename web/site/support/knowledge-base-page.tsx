import content from "content:pages/knowledge-base";
import { EmptyPagePicture } from "#web/site/pictures/empty-page.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { Prose } from "#web/ui/prose.tsx";

/** Placeholder for the knowledge base. */
export default function KnowledgeBasePage() {
  const { title, heading, lead, links, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} picture={<EmptyPagePicture />} />
      <Band id="meanwhile" title="In the meantime" tone="surface">
        <Prose html={html} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

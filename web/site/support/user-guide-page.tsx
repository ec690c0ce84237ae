import content from "content:pages/user-guide";
import { Band } from "#web/ui/band.tsx";
import { ContentsList } from "#web/ui/contents-list.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";
import { ProseWithAside } from "#web/ui/prose-with-aside.tsx";

/** The user guide, with a table of contents. */
export default function UserGuidePage() {
  const { title, heading, lead, links, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="guide" tone="surface">
        <ProseWithAside html={html} first={<ContentsList html={html} />} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

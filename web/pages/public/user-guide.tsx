import content from "content:pages/user-guide";
import { Band } from "#web/features/public-page/band.tsx";
import { ContentsList } from "#web/features/public-page/contents-list.tsx";
import { PageHero } from "#web/features/public-page/page-hero.tsx";
import { PageLinks } from "#web/features/public-page/page-links.tsx";
import { ProseBeside } from "#web/features/public-page/prose-beside.tsx";

/** The user guide, with its contents beside it. */
export default function UserGuidePage() {
  const { title, heading, lead, links, html } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="guide" tone="surface">
        <ProseBeside html={html} first={<ContentsList html={html} />} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

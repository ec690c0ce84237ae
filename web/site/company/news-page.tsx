import content from "content:pages/news";
import { NewsTimeline } from "./news-timeline.tsx";
import { Band } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";

export default function NewsPage() {
  const { title, heading, lead, items, links } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <Band id="entries" tone="surface">
        <NewsTimeline items={items} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

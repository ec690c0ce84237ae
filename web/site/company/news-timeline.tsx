import { ArrowLink } from "#web/ui/content-link.tsx";
import { Tag } from "#web/ui/tag.tsx";
import classes from "./news-timeline.module.css";
import content from "content:pages/news";
import { Band } from "#web/ui/band.tsx";
import { keepTogether } from "#web/ui/keep-together.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";

/** News items on a timeline, newest first. Published versions have a solid marker, upcoming ones (`ahead`) an empty one. */
function NewsTimeline() {
  return (
    <ol className={classes.timeline}>
      {content.items.map(({ label, kind, date, sample, title, text, link }) => (
        <li key={title} data-kind={kind}>
          <p className={classes.label}>
            {date ? <time dateTime={date}>{label}</time> : label} {sample && <Tag>Sample</Tag>}
          </p>
          <div>
            <h2 style={{ fontSize: "clamp(1.3125rem, 1.2rem + 0.5vw, 1.5625rem)" }}>{keepTogether(title)}</h2>
            <p style={{ maxWidth: "40rem", marginBottom: "0.5rem" }}>{text}</p>
            {link && <ArrowLink {...link} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

export default function NewsPage() {
  return (
    <>
      <PageHero content={content} />
      <Band id="entries" tone="surface">
        <NewsTimeline />
        <PageLinks links={content.links} isEnd />
      </Band>
    </>
  );
}

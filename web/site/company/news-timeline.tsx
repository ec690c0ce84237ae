import { ArrowLink } from "#web/ui/content-link.tsx";
import { Tag } from "#web/ui/tag.tsx";
import classes from "./news-timeline.module.css";
import content from "content:pages/news";
import { Band } from "#web/ui/band.tsx";
import { keepTogether } from "#web/ui/keep-together.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import { PageLinks } from "#web/ui/page-links.tsx";

export interface NewsItem {
  /** Release or date of the item. */
  readonly label: string;
  /** `release` for a published version, `ahead` for an upcoming one, and `notice` for anything else. */
  readonly kind: string;
  /** ISO date, if the label is a date. */
  readonly date?: string | undefined;
  /** True for an invented item, which is left out in production. */
  readonly sample?: boolean | undefined;
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly label: string; readonly to: string } | undefined;
}

/** News items on a timeline, newest first. Published versions have a solid marker, upcoming ones an empty one. */
export function NewsTimeline({ items }: { items: readonly NewsItem[] }) {
  return (
    <ol className={classes.timeline}>
      {items.map(({ label, kind, date, sample, title, text, link }) => (
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
  const { items, links } = content;
  return (
    <>
      <PageHero content={content} />
      <Band id="entries" tone="surface">
        <NewsTimeline items={items} />
        <PageLinks links={links} isEnd />
      </Band>
    </>
  );
}

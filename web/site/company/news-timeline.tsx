import { IconArrowRight } from "@tabler/icons-react";
import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./news-timeline.module.css";

export interface NewsItem {
  /** Release or date it belongs to. */
  readonly label: string;
  /** `release` is out, `ahead` is on its way, `notice` is anything else. */
  readonly kind: string;
  /** The date in numbers, where the label is one. */
  readonly date?: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly label: string; readonly to: string } | undefined;
}

/** News along the releases, the newest first: milestones for what is out, an empty one for what is on its way. */
export function NewsTimeline({ items }: { items: readonly NewsItem[] }) {
  return (
    <ol className={classes.timeline}>
      {items.map(({ label, kind, date, title, text, link }) => (
        <li key={title} data-kind={kind}>
          <p className={classes.label}>{date ? <time dateTime={date}>{label}</time> : label}</p>
          <div className={classes.entry}>
            <h2>{title}</h2>
            <p>{text}</p>
            {link && (
              <ContentLink to={link.to} className={classes.link}>
                {link.label}
                <IconArrowRight size={17} stroke={2} aria-hidden="true" />
              </ContentLink>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

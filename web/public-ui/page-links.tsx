import { IconArrowRight } from "@tabler/icons-react";
import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./page-links.module.css";

export interface PageLinksProps {
  links: readonly { readonly label: string; readonly to: string }[];
  /** True to separate the links from the content above with a line. */
  isEnd?: boolean;
}

export function PageLinks({ links, isEnd = false }: PageLinksProps) {
  return (
    <ul className={classes.links} data-end={isEnd || undefined}>
      {links.map(({ label, to }) => (
        <li key={to}>
          <ContentLink to={to} className={classes.link}>
            {label}
            <IconArrowRight size={17} stroke={2} aria-hidden="true" />
          </ContentLink>
        </li>
      ))}
    </ul>
  );
}

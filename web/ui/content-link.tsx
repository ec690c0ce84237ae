import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { IconArrowRight } from "@tabler/icons-react";
import classes from "./layout.module.css";

/** A link with an arrow. `isCover` makes the whole surrounding row or card clickable. */
export function ArrowLink({ to, label, isCover = false }: { to: string; label: string; isCover?: boolean }) {
  return (
    <ContentLink to={to} className={isCover ? `${classes.link} ${classes.cover}` : `${classes.link}`}>
      {label}
      <IconArrowRight size={17} stroke={2} aria-hidden="true" />
    </ContentLink>
  );
}

/** Returns whether an address in content is a page of the portal, and not a file, another build or another site. */
export function isPortalPage(to: string): boolean {
  return /^\/(?!\/|media\/|software\/|playground\/)/.test(to);
}

/** A link in content: to a page of the portal, an email address or another site. */
export function ContentLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  if (isPortalPage(to))
    return (
      <Link to={to} className={className}>
        {children}
      </Link>
    );
  return (
    <a href={to} className={className} rel="noreferrer">
      {children}
    </a>
  );
}

import type { ReactNode } from "react";
import { Link } from "react-router-dom";

/** A link in content: to a page of the portal, an email address or another site. */
export function ContentLink({ to, className, children }: { to: string; className?: string; children: ReactNode }) {
  if (to.startsWith("/") && !/^\/(media|software|playground)\//.test(to))
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

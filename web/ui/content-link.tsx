import type { ReactNode } from "react";
import { Link } from "react-router-dom";

/** A link of the content: to a page of the portal, or to a mailbox or another site. */
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

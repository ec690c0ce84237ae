import { NavLink } from "react-router-dom";
import { DisclosureMenu } from "#web/ui/disclosure-menu.tsx";
import classes from "./account-menu.module.css";
import type { NavigationItem } from "./navigation.ts";
import type { Session } from "#web/platform/session.ts";

/** My Account: who is signed in, and the account's pages. */
export function AccountMenu({ session, items }: { session: Session; items: readonly NavigationItem[] }) {
  const { givenName, familyName, email } = session.claims;
  const initials = `${givenName.charAt(0)}${familyName.charAt(0)}`.toUpperCase() || "•";
  return (
    <DisclosureMenu
      label="My Account"
      look="pill"
      align="end"
      mark={
        <span className={classes.initials} aria-hidden="true">
          {initials}
        </span>
      }
    >
      <p className={classes.who}>
        <b>
          {givenName} {familyName}
        </b>
        <span>{email}</span>
      </p>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item.to}>
            <NavLink to={item.to}>{item.label}</NavLink>
          </li>
        ))}
      </ul>
    </DisclosureMenu>
  );
}

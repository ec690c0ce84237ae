import { IconMoon, IconSun } from "@tabler/icons-react";
import type { Session } from "#web/platform/session.ts";
import { IconButton } from "#web/ui/button.tsx";
import { chooseColourScheme, useColourScheme } from "#web/platform/colour-scheme.ts";
import { DisclosureMenu, MenuList } from "./disclosure-menu.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./menu.module.css";
import { buildNavigation } from "./navigation.ts";

/** Menu with the signed-in user's name, account pages and Logout. */
export function AccountMenu({ session }: { session: Session }) {
  const { givenName, familyName, email } = session.claims;
  // By characters, because a rare kanji or an emoji is two UTF-16 units. The same is in show-frame.js.
  const initials =
    [givenName, familyName]
      .map(([first = ""]) => first)
      .join("")
      .toUpperCase() || "•";
  return (
    <DisclosureMenu
      label="My Account"
      look="pill"
      align="end"
      mark={
        <span className={classes.initials} data-initials aria-hidden="true">
          {initials}
        </span>
      }
    >
      <p className={classes.who} data-break="anywhere">
        <b>
          {givenName} {familyName}
        </b>
        <span className={layout.muted}>{email}</span>
      </p>
      <MenuList items={buildNavigation(session).account} />
    </DisclosureMenu>
  );
}

/** Button that switches between light and dark colours. */
export function SchemeToggle() {
  const scheme = useColourScheme();
  const other = scheme === "dark" ? "light" : "dark";
  const Icon = other === "dark" ? IconMoon : IconSun;
  return (
    <IconButton label={`Use ${other} colours`} onClick={() => chooseColourScheme(other)}>
      <Icon size={21} stroke={1.8} aria-hidden="true" />
    </IconButton>
  );
}

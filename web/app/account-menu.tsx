import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useId, useRef, useState } from "react";
import { NavLink } from "react-router-dom";
import classes from "./account-menu.module.css";
import type { NavigationItem } from "./navigation.ts";
import type { Session } from "./session.ts";

/** My Account: a button that discloses its links. Choosing one, Escape and a click elsewhere close it. */
export function AccountMenu({ session, items }: { session: Session; items: readonly NavigationItem[] }) {
  const [opened, setOpened] = useState(false);
  const listId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!opened) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpened(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpened(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("keydown", closeOnEscape);
    };
  }, [opened]);

  const { givenName, familyName, email } = session.claims;
  return (
    <div className={classes.root} ref={root}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-expanded={opened}
        aria-controls={listId}
        onClick={() => setOpened(!opened)}
      >
        <span className={classes.initials} aria-hidden="true">
          {`${givenName.charAt(0)}${familyName.charAt(0)}`.toUpperCase() || "•"}
        </span>
        My Account
        <IconChevronDown className={classes.chevron} size={16} stroke={2} aria-hidden="true" />
      </button>
      <div id={listId} className={classes.panel} hidden={!opened}>
        <p className={classes.who}>
          <b>
            {givenName} {familyName}
          </b>
          <span>{email}</span>
        </p>
        <ul className={classes.list}>
          {items.map((item) => (
            <li key={item.to}>
              <NavLink to={item.to} onClick={() => setOpened(false)}>
                {item.label}
              </NavLink>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { NavLink, useLocation } from "react-router-dom";
import classes from "./menu.module.css";
import type { NavigationGroup, NavigationItem } from "./navigation.ts";

export interface DisclosureMenuProps {
  label: string;
  /** Decoration in front of the label. */
  mark?: ReactNode;
  /** Marks the button if the current page is in the menu. */
  isCurrent?: boolean;
  /** `plain` looks like the menu's links, `pill` stands out. */
  look?: "plain" | "pill";
  /** The edge of the button that the panel aligns with. */
  align?: "start" | "end";
  children: ReactNode;
}

/** A button that opens a panel of links. Choosing a link, Escape, and a click or focus outside close it. */
export function DisclosureMenu(props: DisclosureMenuProps) {
  const { label, mark, isCurrent, look = "plain", align = "start", children } = props;
  const [opened, setOpened] = useState(false);
  const panelId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();

  useEffect(() => setOpened(false), [key]);

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

  return (
    <div style={{ position: "relative" }} ref={root}>
      <button
        ref={button}
        type="button"
        className={`${classes.link} ${classes.button}`}
        data-look={look}
        data-current={isCurrent || undefined}
        aria-expanded={opened}
        aria-controls={panelId}
        onClick={() => setOpened(!opened)}
      >
        {mark}
        {label}
        <IconChevronDown size={16} stroke={2} color="var(--xp-muted)" aria-hidden="true" />
      </button>
      <div id={panelId} className={classes.panel} data-align={align} hidden={!opened}>
        {children}
      </div>
    </div>
  );
}

interface MenuListProps {
  items: readonly (NavigationItem | NavigationGroup)[];
  className?: string | undefined;
  /** Shows the groups in columns. */
  hasColumns?: boolean;
  onChoose?: (() => void) | undefined;
}

/** The links of a menu. Those of a group follow in a list of their own. */
export function MenuList({ items, className, hasColumns = false, onChoose }: MenuListProps) {
  return (
    <ul className={className ? `${classes.list} ${className}` : classes.list} data-columns={hasColumns || undefined}>
      {items.map((item) => (
        <li key={item.to}>
          <NavLink to={item.to} onClick={onChoose}>
            {item.label}
          </NavLink>
          {"items" in item && <MenuList items={item.items} onChoose={onChoose} />}
        </li>
      ))}
    </ul>
  );
}

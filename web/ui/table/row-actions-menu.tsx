import { IconDots } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { IconButton } from "#web/ui/button.tsx";
import classes from "./row-actions-menu.module.css";

export type RowAction = {
  label: string;
  icon?: ReactNode;
  /** Additional text, such as the size of a file. */
  note?: string | undefined;
  /** Red, for actions that can't be undone. */
  danger?: boolean;
} & (
  | { onSelect: () => void }
  /** A page of the portal. */
  | { to: string }
  /** A file to download. */
  | { download: string }
);

/** Position of an open menu in the viewport, in pixels. */
interface MenuPosition {
  right: number;
  top?: number;
  bottom?: number;
}

/**
 * The button at the end of a row and its menu (the menu-button pattern of WAI-ARIA: arrows, Home, End, Escape, Tab).
 * Mantine's menu would add 25 kB of positioning code to every list.
 */
export function RowActionsMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const [spot, setSpot] = useState<MenuPosition | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const opened = spot !== null;

  useEffect(() => {
    if (opened) itemsIn(root.current)[0]?.focus({ preventScroll: true });
  }, [opened]);

  useEffect(() => {
    if (!opened) return;
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setSpot(null);
    };
    // Move the menu with its button when the page scrolls or is resized.
    const follow = () => {
      if (!button.current) return;
      if (isInSight(button.current)) return setSpot(getMenuPosition(button.current, actions.length));
      setSpot(null);
      if (root.current?.contains(document.activeElement)) button.current.focus({ preventScroll: true });
    };
    document.addEventListener("pointerdown", closeOutside);
    window.addEventListener("scroll", follow, { capture: true, passive: true });
    window.addEventListener("resize", follow);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      window.removeEventListener("scroll", follow, { capture: true });
      window.removeEventListener("resize", follow);
    };
  }, [opened, actions.length]);

  if (actions.length === 0) return null;

  const open = () => button.current && setSpot(getMenuPosition(button.current, actions.length));
  const close = () => {
    setSpot(null);
    button.current?.focus({ preventScroll: true });
  };

  function move(event: KeyboardEvent) {
    const items = itemsIn(root.current);
    const present = items.findIndex((item) => item === document.activeElement);
    const wanted = { ArrowDown: present + 1, ArrowUp: present - 1, Home: 0, End: -1 }[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      items.at(wanted % items.length)?.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") setSpot(null);
  }

  return (
    <div className={classes.root} ref={root}>
      <IconButton
        ref={button}
        label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? menuId : undefined}
        onClick={() => (opened ? close() : open())}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" || opened) return;
          event.preventDefault();
          open();
        }}
      >
        <IconDots size={20} stroke={1.8} aria-hidden="true" />
      </IconButton>
      {opened && (
        <div
          id={menuId}
          className={classes.menu}
          style={spot}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={move}
        >
          {actions.map((action) => (
            <ActionItem key={action.label} action={action} onChosen={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function ActionItem({ action, onChosen }: { action: RowAction; onChosen: () => void }) {
  const look = {
    role: "menuitem",
    "aria-description": action.note,
    // Rendered with CSS, so it isn't part of the item's name.
    "data-note": action.note,
    tabIndex: -1,
    className: classes.item,
    "data-danger": action.danger || undefined,
  } as const;
  const words = (
    <>
      {action.icon}
      {action.label}
    </>
  );
  if ("to" in action)
    return (
      <Link {...look} to={action.to} onClick={onChosen}>
        {words}
      </Link>
    );
  if ("download" in action)
    return (
      <a {...look} href={action.download} download onClick={onChosen}>
        {words}
      </a>
    );
  return (
    <button
      {...look}
      type="button"
      onClick={() => {
        onChosen();
        action.onSelect();
      }}
    >
      {words}
    </button>
  );
}

function itemsIn(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

function isInSight(button: HTMLElement): boolean {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  return bottom >= 0 && right >= 0 && top <= window.innerHeight && left <= window.innerWidth;
}

const ITEM_HEIGHT = 40;
const GAP = 4;

/** Returns the position below the button, or above it if there is no space below. */
function getMenuPosition(button: HTMLElement, count: number): MenuPosition {
  const box = button.getBoundingClientRect();
  const right = document.documentElement.clientWidth - box.right;
  const room = window.innerHeight - box.bottom;
  const fits = room > count * ITEM_HEIGHT + 24 || room > box.top;
  return fits ? { right, top: box.bottom + GAP } : { right, bottom: window.innerHeight - box.top + GAP };
}

import { ActionIcon, Menu, Text } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { type Icon, IconDots } from "@tabler/icons-react";
import { type RefCallback, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";

export type RowAction = {
  label: string;
  icon?: Icon;
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

/** The button at the end of a row and its menu, whose actions are read when it opens. A page of 100 rows has no menu until then. */
export function RowActionsMenu({ label, getActions }: { label: string; getActions: () => readonly RowAction[] }) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const opened = landmark !== null;
  const open = () => setLandmark(button.current?.closest<HTMLElement>("[role=dialog], main") ?? document.body);
  const close = () => setLandmark(null);
  return (
    <>
      <ActionIcon
        ref={button}
        id={id}
        variant="subtle"
        color="gray"
        size="xl"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        onClick={opened ? close : open}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open();
        }}
      >
        <IconDots size={20} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
      {opened && (
        <OpenMenu id={id} label={label} landmark={landmark} button={button} actions={getActions()} onClose={close} />
      )}
    </>
  );
}

interface OpenMenuProps {
  id: string;
  label: string;
  landmark: HTMLElement;
  button: RefObject<HTMLButtonElement | null>;
  actions: readonly RowAction[];
  onClose: () => void;
}

function OpenMenu({ id, label, landmark, button, actions, onClose }: OpenMenuProps) {
  // Tab continues from the button, and dialogs return focus to it.
  const focusButton = () => button.current?.focus({ preventScroll: true });
  return (
    <Menu
      id={id}
      opened
      onChange={onClose}
      position="bottom-end"
      // Not in its row, where it would make the browser lay out the whole table again. Fixed, so that scroll containers can't
      // clip it.
      portalProps={{ target: landmark }}
      floatingStrategy="fixed"
      // Each of these would measure every element around the menu again, before the next paint.
      middlewares={{ flip: true, shift: false }}
      preventPositionChangeWhenVisible={false}
      withInitialFocusPlaceholder={false}
      // Mantine moves the focus after a timeout, which loses keys pressed meanwhile. The first item takes it
      // immediately.
      trapFocus={false}
      returnFocus={false}
      // Mantine closes the menu before the handler below could return the focus.
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Anchor element={button} />
      </Menu.Target>
      <Menu.Dropdown
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key !== "Tab" && event.key !== "Escape") return;
          focusButton();
          onClose();
        }}
      >
        {actions.map((action, index) => (
          <ActionItem key={action.label} action={action} isFirst={index === 0} onChosen={focusButton} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Gives a menu an element outside of it as its target. */
function Anchor({ element, ref }: { element: RefObject<HTMLElement | null>; ref?: RefCallback<HTMLElement> }) {
  useLayoutEffect(() => {
    ref?.(element.current);
  }, [ref, element]);
  return null;
}

function ActionItem(props: { action: RowAction; isFirst: boolean; onChosen: () => void }) {
  const { action, isFirst, onChosen } = props;
  const { label, icon: Picture, note, danger } = action;
  const item = useRef<HTMLButtonElement & HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (isFirst) item.current?.focus({ preventScroll: true });
  }, [isFirst]);
  const look = {
    children: label,
    leftSection: Picture && <Picture size={17} stroke={1.8} aria-hidden="true" />,
    // Announced as the description, so it isn't part of the item's name.
    rightSection: note !== undefined && (
      <Text size="xs" c="dimmed" aria-hidden="true">
        {note}
      </Text>
    ),
    "aria-description": note,
    color: danger ? "var(--xp-critical)" : undefined,
    ref: item,
    onClick: () => {
      onChosen();
      if ("onSelect" in action) action.onSelect();
    },
  };
  if ("to" in action) return <Menu.Item component={Link} to={action.to} {...look} />;
  if ("download" in action) return <Menu.Item component="a" href={action.download} download {...look} />;
  return <Menu.Item {...look} />;
}

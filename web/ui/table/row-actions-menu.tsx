import { ActionIcon, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { Link } from "react-router-dom";

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

/** The button at the end of a row and its menu. */
export function RowActionsMenu({ label, actions }: { label: string; actions: readonly RowAction[] }) {
  const [opened, { open, close, set }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  if (actions.length === 0) return null;
  // The browser moves focus from the button to the next element.
  const leave = () => {
    button.current?.focus();
    close();
  };
  return (
    <Menu opened={opened} onChange={set} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size="xl"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            open();
          }}
        >
          <IconDots size={20} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} onKeyDown={(event) => event.key === "Tab" && leave()}>
        {actions.map((action, index) => (
          <ActionItem key={action.label} action={action} isFirst={index === 0} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ActionItem({ action, isFirst }: { action: RowAction; isFirst: boolean }) {
  const { label, icon, note, danger } = action;
  const look = {
    children: label,
    leftSection: icon,
    // Announced as the description, so it isn't part of the item's name.
    rightSection: note !== undefined && (
      <Text size="xs" c="dimmed" aria-hidden="true">
        {note}
      </Text>
    ),
    "aria-description": note,
    color: danger ? "var(--xp-critical)" : undefined,
    "data-autofocus": isFirst || undefined,
  };
  if ("to" in action) return <Menu.Item component={Link} to={action.to} {...look} />;
  if ("download" in action) return <Menu.Item component="a" href={action.download} download {...look} />;
  return <Menu.Item onClick={action.onSelect} {...look} />;
}

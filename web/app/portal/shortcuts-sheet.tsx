import { Group, Kbd, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Fragment } from "react";
import { useShortcut } from "#web/platform/use-shortcut.ts";
import { isAppleDevice, SEARCH_LABEL } from "#web/staff/search/search-box.tsx";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";

/** Keys of each shortcut, which are pressed together, and what they do. */
const shortcuts: readonly { keys: readonly string[]; text: string }[] = [
  { keys: [isAppleDevice() ? "⌘" : "Ctrl", "K"], text: SEARCH_LABEL },
  { keys: ["→"], text: "In the search: actions on the chosen user" },
  { keys: ["/"], text: "Search the table" },
  { keys: ["↓"], text: "Next row, or the first row from the search" },
  { keys: ["↑"], text: "Previous row" },
  { keys: ["Enter"], text: "Open the row" },
  { keys: ["U"], text: "Go to Undo, while a notification offers it" },
  { keys: ["?"], text: "Show this list" },
];

/** List of keyboard shortcuts, which `?` opens. */
export default function ShortcutsSheet() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useShortcut("?", open);
  return (
    <AppDialog opened={isOpen} title="Keyboard shortcuts" onClose={close}>
      <Table withRowBorders={false} aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {shortcuts.map(({ keys, text }) => (
            <Table.Tr key={text}>
              <Table.Th scope="row" w="7rem">
                <Group gap={4} wrap="nowrap">
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <Text span>+</Text>}
                      <Kbd>{key}</Kbd>
                    </Fragment>
                  ))}
                </Group>
              </Table.Th>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </AppDialog>
  );
}

import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import { type AccountingFile, accountingFiles } from "#schema/accounting.ts";

/** A button that offers the files for accounting programs. */
export function AccountingMenu({ onChoose }: { onChoose: (file: AccountingFile) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={17} stroke={1.8} aria-hidden="true" />}
          rightSection={<IconChevronDown size={16} stroke={1.8} aria-hidden="true" />}
        >
          Export for accounting
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {accountingFiles.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => onChoose(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import type { ReportFormat } from "#schema/report.ts";

/** A button that offers a file as CSV or as a workbook. */
export function DownloadMenu({ label, onChoose }: { label: string; onChoose: (format: ReportFormat) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={17} stroke={1.8} aria-hidden="true" />}
          rightSection={<IconChevronDown size={16} stroke={1.8} aria-hidden="true" />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onChoose("csv")}>CSV</Menu.Item>
        <Menu.Item onClick={() => onChoose("xlsx")}>Excel workbook (XLSX)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDownload } from "@tabler/icons-react";
import type { ReportFormat } from "#schema/report.ts";

interface DownloadMenuProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** The formats of a file with the rows of a list. */
export const fileFormats: DownloadMenuProps<ReportFormat>["choices"] = [
  { value: "csv", label: "CSV" },
  { value: "xlsx", label: "Excel workbook (XLSX)" },
];

/** A button that offers files. */
export function DownloadMenu<Value extends string>({ label, choices, onChoose }: DownloadMenuProps<Value>) {
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
        {choices.map((choice) => (
          <Menu.Item key={choice.value} onClick={() => onChoose(choice.value)}>
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

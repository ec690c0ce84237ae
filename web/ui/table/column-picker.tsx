import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";

export interface ColumnPickerProps {
  titles: readonly string[];
  hidden: readonly string[];
  onChange: (hidden: string[]) => void;
}

/** Button that opens a list of columns to show. The first column names the row, so it can't be hidden. */
export function ColumnPicker({ titles, hidden, onChange }: ColumnPickerProps) {
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          px="sm"
          leftSection={<IconColumns3 size={18} stroke={1.7} aria-hidden="true" />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs" role="group" aria-label="Shown columns">
          {titles.slice(1).map((title) => (
            <Checkbox
              key={title}
              size="sm"
              label={title}
              checked={!hidden.includes(title)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? hidden.filter((one) => one !== title) : [...hidden, title])
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

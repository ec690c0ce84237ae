import { Checkbox, Group, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { formatMachineName } from "#schema/machine-name.ts";

export interface HistoryFilter {
  /** Null for all devices. */
  deviceId: string | null;
  refusalsOnly: boolean;
}

/** Filters a history by device and refusals. */
export function HistoryFilters(props: {
  wanted: HistoryFilter;
  devices: readonly { id: string; machineName: string }[];
  onChange: (wanted: HistoryFilter) => void;
}) {
  const { wanted, onChange } = props;
  // Devices that were offered once remain in the list, even if the current rows don't include them.
  const [known, setKnown] = useState(props.devices);
  const unknown = props.devices.filter((device) => !known.some((one) => one.id === device.id));
  if (unknown.length > 0) setKnown([...known, ...unknown]);
  return (
    <Group gap="md">
      {known.length > 0 && (
        <NativeSelect
          aria-label="Device"
          size="sm"
          maw="100%"
          w="15rem"
          value={wanted.deviceId ?? ""}
          onChange={({ currentTarget }) => onChange({ ...wanted, deviceId: currentTarget.value || null })}
          data={[
            { value: "", label: "All devices" },
            ...known.map(({ id, machineName }) => ({ value: id, label: formatMachineName(machineName) })),
          ]}
        />
      )}
      <Checkbox
        size="sm"
        label="Refusals only"
        checked={wanted.refusalsOnly}
        onChange={({ currentTarget }) => onChange({ ...wanted, refusalsOnly: currentTarget.checked })}
      />
    </Group>
  );
}

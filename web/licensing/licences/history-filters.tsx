import { IconSelector } from "@tabler/icons-react";
import { useId, useState } from "react";
import { formatMachineName } from "#schema/machine-name.ts";
import classes from "./history-filters.module.css";

/** Filters for a licence's history. */
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
  const id = useId();
  // Devices that were offered once remain in the list, even if the current rows don't include them.
  const [known, setKnown] = useState(props.devices);
  const unknown = props.devices.filter((device) => !known.some((one) => one.id === device.id));
  if (unknown.length > 0) setKnown([...known, ...unknown]);
  return (
    <div className={classes.filters}>
      {known.length > 0 && (
        <div className={classes.device}>
          <label htmlFor={`${id}-device`}>Device</label>
          <div className={classes.adorned}>
            <select
              id={`${id}-device`}
              value={wanted.deviceId ?? ""}
              onChange={({ currentTarget }) => onChange({ ...wanted, deviceId: currentTarget.value || null })}
            >
              <option value="">All devices</option>
              {known.map((device) => (
                <option key={device.id} value={device.id}>
                  {formatMachineName(device.machineName)}
                </option>
              ))}
            </select>
            <IconSelector size={18} stroke={1.8} aria-hidden="true" />
          </div>
        </div>
      )}
      <div className={classes.check}>
        <input
          id={`${id}-refusals`}
          type="checkbox"
          checked={wanted.refusalsOnly}
          onChange={({ currentTarget }) => onChange({ ...wanted, refusalsOnly: currentTarget.checked })}
        />
        <label htmlFor={`${id}-refusals`}>Refusals only</label>
      </div>
    </div>
  );
}

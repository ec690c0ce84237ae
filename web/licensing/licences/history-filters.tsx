import { IconSelector } from "@tabler/icons-react";
import { useId, useState } from "react";
import { shownMachineName } from "#schema/machine-name.ts";
import classes from "./history-filters.module.css";

/** Which part of a history is wanted. */
export interface HistoryWanted {
  /** Null: every device. */
  deviceId: string | null;
  refusalsOnly: boolean;
}

/** Narrows a history down to one device, to refusals, or both. */
export function HistoryFilters(props: {
  wanted: HistoryWanted;
  devices: readonly { id: string; machineName: string }[];
  onChange: (wanted: HistoryWanted) => void;
}) {
  const { wanted, onChange } = props;
  const id = useId();
  // A device that was once offered stays, also when the rows shown now say nothing of it.
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
                  {shownMachineName(device.machineName)}
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

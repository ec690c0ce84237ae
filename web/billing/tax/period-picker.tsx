import { NativeSelect, SegmentedControl } from "@mantine/core";
import {
  findPeriodLength,
  formatTaxPeriod,
  listTaxPeriods,
  type PeriodLength,
  periodLengths,
  type TaxPeriod,
} from "./tax-periods.ts";

export interface PeriodPickerProps {
  period: TaxPeriod;
  now: Date;
  onChange: (period: TaxPeriod) => void;
}

const toKey = ({ startDate, endDate }: TaxPeriod) => `${startDate} ${endDate}`;

/** Choice of a quarter, month or financial year. */
export function PeriodPicker({ period, now, onChange }: PeriodPickerProps) {
  const length = findPeriodLength(period);
  const periods = listTaxPeriods(length ?? "quarter", now);
  // A copied link may contain an older period than the list offers.
  const offered = periods.some((one) => toKey(one) === toKey(period)) ? periods : [period, ...periods];
  return (
    <>
      <SegmentedControl
        aria-label="Length of the period"
        value={length ?? ""}
        onChange={(value) => onChange(listTaxPeriods(value as PeriodLength, now)[0] ?? period)}
        data={periodLengths.map(({ value, label }) => ({ value, label }))}
      />
      <NativeSelect
        label="Period"
        value={toKey(period)}
        onChange={({ currentTarget: { value } }) => {
          const chosen = offered.find((one) => toKey(one) === value);
          if (chosen) onChange(chosen);
        }}
        data={offered.map((one) => ({ value: toKey(one), label: formatTaxPeriod(one) }))}
      />
    </>
  );
}

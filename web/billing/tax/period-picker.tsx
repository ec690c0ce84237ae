import { NativeSelect, SegmentedControl } from "@mantine/core";
import {
  findPeriodLength,
  formatTaxPeriod,
  listTaxPeriods,
  type PeriodLength,
  periodLengths,
  readTaxPeriod,
  type TaxPeriod,
} from "./tax-periods.ts";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

interface PeriodPickerProps {
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

/** Parameters of the URL to change. Null removes one. */
type Changes = Readonly<Record<string, string | null>>;

/** Reads and changes the URL of the tax page, which has the period and the other choices. */
export function useTaxAddress() {
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => new Date());
  const build = (values: Changes) => {
    const next = new URLSearchParams(params);
    next.delete("page");
    for (const [name, value] of Object.entries(values)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    return next;
  };
  return {
    now,
    params,
    period: readTaxPeriod(params, now),
    /** Changes some parameters and returns to the first page of the rows. */
    change: (values: Changes) => setParams(build(values), { preventScrollReset: true }),
    /** Returns the URL with some parameters changed. */
    buildHref: (values: Changes) => `?${build(values)}`,
  };
}

export type TaxAddress = ReturnType<typeof useTaxAddress>;

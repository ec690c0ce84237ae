import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { readTaxPeriod, type TaxPeriod } from "./tax-periods.ts";

/** The period and the other choices of the tax page, which its URL contains. */
export interface TaxAddress {
  readonly now: Date;
  readonly params: URLSearchParams;
  readonly period: TaxPeriod;
  /** Changes some parameters and returns to the first page of the rows. Null removes a parameter. */
  change: (values: Readonly<Record<string, string | null>>) => void;
  /** Returns the URL with some parameters changed. */
  buildHref: (values: Readonly<Record<string, string | null>>) => string;
}

/** Reads and changes the URL of the tax page. */
export function useTaxAddress(): TaxAddress {
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => new Date());
  const build = (values: Readonly<Record<string, string | null>>) => {
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
    change: (values) => setParams(build(values), { preventScrollReset: true }),
    buildHref: (values) => `?${build(values)}`,
  };
}

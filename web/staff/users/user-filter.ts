import { formatIsoDay, isDay } from "#schema/dates.ts";
import { getCalendarDay, getEndOfDay, getStartOfDay } from "#schema/days.ts";
import { memberTypes } from "#schema/user.ts";
import { toMoments } from "#web/ui/lists/filter-panel.tsx";
import { saveListSettings, loadListSettings } from "#web/ui/lists/use-url-list.ts";
import { toCode } from "#schema/closed-list.ts";

/** Filter of the user list. Dates are `YYYY-MM-DD` in the viewer's time zone, or in the vendor's if `isSellerTime` is true. */
export interface UserFilter {
  userTypes: number[];
  startDate: string;
  endDate: string;
  includeArchived: boolean;
  isSellerTime?: boolean;
}

/** Earlier than any registration; the default start date in a URL. */
const EARLIEST_DAY = "2000-01-01";
/** End date of 'Search All Dates'. */
const LATEST_DAY = "2099-12-31";
/** Start date of a saved view that lists the last year. */
const ONE_YEAR = "1y";
/** Value of `zone` for days in the vendor's time zone, such as in links from counts of such days. */
const SELLER = "seller";
const STORAGE_KEY = "user-filter";

const allTypes: readonly number[] = memberTypes.map(({ value }) => value);

/** Returns today's date in the viewer's time zone, or the date some years ago. */
export function getToday(yearsBefore = 0): string {
  const now = new Date();
  return formatIsoDay(new Date(now.getFullYear() - yearsBefore, now.getMonth(), now.getDate()));
}

/** Returns the default filter: all types, the last year, including archived users. */
export function getDefaultFilter(): UserFilter {
  return { userTypes: [...allTypes], startDate: getToday(1), endDate: getToday(), includeArchived: true };
}

/** URL parameters of the filter. */
export const userFilterParams = ["types", "from", "to", "archived", "zone"] as const;

/**
 * Reads the filter from URL parameters such as `?types=1,2&from=2026-01-01&to=2026-03-31&archived=no`. Missing parameters
 * don't filter. Without any of these parameters or `q`, returns the default filter.
 */
export function readFilterFromUrl(params: URLSearchParams): UserFilter {
  if (![...userFilterParams, "q"].some((name) => params.has(name))) return getDefaultFilter();
  const isSellerTime = params.get("zone") === SELLER;
  return {
    userTypes: parseTypes(params.get("types")?.split(",").map(Number)),
    startDate: parseDay(params.get("from")) ?? (params.get("from") === ONE_YEAR ? getToday(1) : EARLIEST_DAY),
    endDate: parseDay(params.get("to")) ?? getLastDay(params),
    includeArchived: params.get("archived") !== "no",
    ...(isSellerTime && { isSellerTime }),
  };
}

/** Returns URL parameters with a filter, and with the search and order of `params`. */
export function toUrlParams(
  { userTypes, startDate, endDate, includeArchived, isSellerTime }: UserFilter,
  params = new URLSearchParams(),
): URLSearchParams {
  const others = [...params].filter(([name]) => !(userFilterParams as readonly string[]).includes(name));
  return new URLSearchParams([
    ["types", userTypes.join(",")],
    ["from", startDate],
    ["to", endDate],
    ...(includeArchived ? [] : [["archived", "no"]]),
    ...(isSellerTime ? [["zone", SELLER]] : []),
    ...others,
  ]);
}

/** Returns URL parameters for a saved view. The last year and today stay relative to the day on which it is opened. */
export function toViewParams(params: URLSearchParams): URLSearchParams {
  const view = new URLSearchParams(params);
  if (view.get("from") === getToday(1)) view.set("from", ONE_YEAR);
  if (view.get("to") === getLastDay(params)) view.delete("to");
  return view;
}

/** Returns today's date in the time zone of the URL parameters. */
function getLastDay(params: URLSearchParams): string {
  return params.get("zone") === SELLER ? getCalendarDay(new Date()) : getToday();
}

/** Returns the filter of the last visit, or null if it was the default filter. */
export function loadLastFilter(): UserFilter | null {
  const last = loadListSettings(STORAGE_KEY, parseStoredFilter);
  return JSON.stringify(last) === JSON.stringify(getDefaultFilter()) ? null : last;
}

/** Saves the filter for the next visit. */
export function saveFilter({ userTypes, startDate, endDate, includeArchived }: UserFilter): void {
  const usual = getDefaultFilter();
  // The default dates are not stored, because they move with the current date.
  const isUsual = startDate === usual.startDate && endDate === usual.endDate;
  saveListSettings(STORAGE_KEY, { userTypes, includeArchived, ...(isUsual ? {} : { startDate, endDate }) });
}

export function removeDateLimits(filter: UserFilter): UserFilter {
  return { ...filter, startDate: EARLIEST_DAY, endDate: LATEST_DAY };
}

/** Returns true if the dates can exclude users. */
export function hasDateLimits({ startDate, endDate }: UserFilter): boolean {
  return startDate > EARLIEST_DAY || endDate < getToday();
}

/** Converts the filter to API arguments, with days as timestamps in the filter's time zone. */
export function toFilterArguments({ userTypes, startDate, endDate, includeArchived, isSellerTime }: UserFilter) {
  const { from, to } = isSellerTime
    ? { from: getStartOfDay(startDate).toISOString(), to: getEndOfDay(endDate).toISOString() }
    : toMoments({ from: startDate, to: endDate });
  return {
    userTypes: userTypes.map((type) => toCode(memberTypes, type)),
    startDate: from,
    endDate: to,
    includeArchived,
  };
}

function parseStoredFilter(stored: Record<string, unknown>): UserFilter {
  const usual = getDefaultFilter();
  const startDate = parseDay(stored.startDate);
  const endDate = parseDay(stored.endDate);
  return {
    userTypes: parseTypes(Array.isArray(stored.userTypes) ? stored.userTypes : undefined),
    ...(startDate && endDate && startDate <= endDate ? { startDate, endDate } : pickDates(usual)),
    includeArchived: stored.includeArchived !== false,
  };
}

const pickDates = ({ startDate, endDate }: UserFilter) => ({ startDate, endDate });

function parseTypes(types: readonly unknown[] | undefined): number[] {
  const known = allTypes.filter((type) => types?.includes(type));
  return known.length > 0 ? known : [...allTypes];
}

/** Returns a calendar day, or null for anything else. */
const parseDay = (value: unknown) => (isDay(value) ? value : null);

import { memberTypes } from "#schema/catalogue.ts";
import { remember, remembered } from "#web/ui/table/remembered.ts";

/** Which users the list shows; days are the reader's own, `YYYY-MM-DD`. */
export interface UserFilter {
  userTypes: number[];
  startDate: string;
  endDate: string;
  includeArchived: boolean;
}

/** Before the portal's first user: what an address that names no first day means. */
const BEGINNING = "2000-01-01";
/** The last day of 'Search All Dates'. */
const END = "2099-12-31";
const REMEMBERED_AS = "user-filter";

const allTypes: readonly number[] = memberTypes.map(({ value }) => value);

/** The reader's day now, or so many years before. */
export function dayNow(yearsBefore = 0): string {
  const now = new Date();
  return dayOf(new Date(now.getFullYear() - yearsBefore, now.getMonth(), now.getDate()));
}

/** Every type, the last year, archived ones too. */
export function usualFilter(): UserFilter {
  return { userTypes: [...allTypes], startDate: dayNow(1), endDate: dayNow(), includeArchived: true };
}

/**
 * The filter that an address names: `?types=1,2&from=2026-01-01&to=2026-03-31&archived=no`. What it leaves out is not
 * narrowed, so that a link to one type shows all of them. An address without any of it, `q` included, opens what was
 * chosen last, else the usual filter.
 */
export function filterInAddress(params: URLSearchParams): UserFilter {
  if (!["types", "from", "to", "archived", "q"].some((name) => params.has(name)))
    return remembered(REMEMBERED_AS, filterIn) ?? usualFilter();
  return {
    userTypes: typesIn(params.get("types")?.split(",").map(Number)),
    startDate: dayIn(params.get("from")) ?? BEGINNING,
    endDate: dayIn(params.get("to")) ?? dayNow(),
    includeArchived: params.get("archived") !== "no",
  };
}

/** The filter as the address names it. */
export function addressOf({ userTypes, startDate, endDate, includeArchived }: UserFilter): URLSearchParams {
  return new URLSearchParams({
    types: userTypes.join(","),
    from: startDate,
    to: endDate,
    ...(includeArchived ? {} : { archived: "no" }),
  });
}

/** Keeps the filter for the next time. */
export function rememberFilter({ userTypes, startDate, endDate, includeArchived }: UserFilter): void {
  const usual = usualFilter();
  // A day that is today's now is today's next week too.
  const isUsual = startDate === usual.startDate && endDate === usual.endDate;
  remember(REMEMBERED_AS, { userTypes, includeArchived, ...(isUsual ? {} : { startDate, endDate }) });
}

/** Returns the filter with all dates in it. */
export function withAllDates(filter: UserFilter): UserFilter {
  return { ...filter, startDate: BEGINNING, endDate: END };
}

/** True where the days leave anybody out. */
export function narrowsDays({ startDate, endDate }: UserFilter): boolean {
  return startDate > BEGINNING || endDate < dayNow();
}

/** The filter as the api takes it: the reader's days as moments. */
export function askedOf({ userTypes, startDate, endDate, includeArchived }: UserFilter) {
  return {
    userTypes,
    startDate: new Date(`${startDate}T00:00:00`).toISOString(),
    endDate: new Date(`${endDate}T23:59:59`).toISOString(),
    includeArchived,
  };
}

function filterIn(kept: Record<string, unknown>): UserFilter {
  const usual = usualFilter();
  const startDate = dayIn(kept.startDate);
  const endDate = dayIn(kept.endDate);
  return {
    userTypes: typesIn(Array.isArray(kept.userTypes) ? kept.userTypes : undefined),
    ...(startDate && endDate && startDate <= endDate ? { startDate, endDate } : days(usual)),
    includeArchived: kept.includeArchived !== false,
  };
}

const days = ({ startDate, endDate }: UserFilter) => ({ startDate, endDate });

function typesIn(types: readonly unknown[] | undefined): number[] {
  const known = allTypes.filter((type) => types?.includes(type));
  return known.length > 0 ? known : [...allTypes];
}

/** A day that there is; null for anything else. */
function dayIn(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return null;
  const day = new Date(`${value}T00:00:00`);
  return !Number.isNaN(day.getTime()) && dayOf(day) === value ? value : null;
}

function dayOf(day: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${String(day.getFullYear()).padStart(4, "0")}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

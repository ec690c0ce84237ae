import { type InferType, object, string } from "yup";
import { addDays } from "#schema/days.ts";
import { staffReason } from "./staff-money.ts";

/** Rules for locking or reopening a month (docs/domain.md#period-lock). */
export const periodLockRules = object({
  month: string()
    .typeError("Must be a month.")
    .matches(/^20\d\d-(0[1-9]|1[0-2])$/, "Must be a month, YYYY-MM.")
    .required("Choose a month."),
  reason: staffReason(),
});
export type PeriodLockValues = InferType<typeof periodLockRules>;

/** Returns the last day of a month, `YYYY-MM` → `YYYY-MM-DD`. */
export function getLastDayOfMonth(month: string): string {
  const nextMonth = addDays(`${month}-01`, 31).slice(0, 7);
  return addDays(`${nextMonth}-01`, -1);
}

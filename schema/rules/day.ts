import type { StringSchema } from "yup";
import { toMoment } from "./moment.ts";
import { numberLine } from "./text.ts";

const isDay = (value: string) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(toMoment(value)?.getTime() ?? Number.NaN);

/** Creates a rule for a calendar day, `YYYY-MM-DD`. An empty field counts as missing. */
export const day = (): StringSchema<string | undefined> =>
  numberLine(10)
    .meta({ scalar: "day" })
    .transform((value: unknown) => (value === "" ? undefined : value))
    .test("day", "Must be a date.", (value) => value === undefined || value === null || isDay(value));

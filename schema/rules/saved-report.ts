import { type InferType, object } from "yup";
import { rulesOf } from "#schema/fields/field.ts";
import { savedReportFields } from "#schema/fields/saved-report.ts";
import { line } from "./text.ts";

/** A report as an admin saves it. */
export const savedReportRules = object(rulesOf(savedReportFields));
export type SavedReportValues = InferType<typeof savedReportRules>;

/** What a mailed link to a report carries. */
export const reportFileRules = object({ token: line(200).required("Token is required.") });

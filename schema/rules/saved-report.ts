import { type InferType, object } from "yup";
import { getRules } from "#schema/fields/field.ts";
import { savedReportFields } from "#schema/fields/saved-report.ts";
import { line } from "./text.ts";

/** Rules for a saved report. */
export const savedReportRules = object(getRules(savedReportFields));
export type SavedReportValues = InferType<typeof savedReportRules>;

/** Rules for the token in an emailed link to a report. */
export const reportFileRules = object({ token: line(200).required("Token is required.") });

import { type InferType, object } from "yup";
import { getRules } from "#schema/field.ts";
import { savedReportFields } from "#schema/fields/saved-report.ts";
import { line } from "#schema/text.ts";

export const savedReportRules = object(getRules(savedReportFields));
export type SavedReportValues = InferType<typeof savedReportRules>;

/** Rules for the token in an emailed link to a report. */
export const reportFileRules = object({ token: line(200).required("Token is required.") });

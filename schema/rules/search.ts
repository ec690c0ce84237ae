import { object } from "yup";
import { line } from "#schema/text.ts";

/** Rules for the text of the admin's global search. */
export const searchRules = object({ text: line(200).default("") });

import { object } from "yup";
import { line } from "./text.ts";

/** What an admin types into the search of everything. */
export const searchRules = object({ text: line(200).default("") });

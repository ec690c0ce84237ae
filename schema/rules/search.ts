import { object } from "yup";
import { line } from "./text.ts";

/** Fewest characters that are looked for. */
export const FEWEST_SEARCHED = 2;

/** What an admin types into the search of everything. */
export const searchRules = object({ text: line(200).default("") });

import { number, object, string } from "yup";
import { attentionLists } from "#schema/attention-lists.ts";
import { line } from "./text.ts";

/** Highest number that the overview counts a list to. */
export const MOST_COUNTED = 1_000;

/** Highest number that a list itself counts and pages to. */
export const MOST_LISTED = 100_000;

/** Which list, and which part of it. */
export const attentionListRules = object({
  list: string().oneOf(attentionLists, "There is no such list.").required("List is required."),
  search: line(200),
  offset: number().integer().min(0).max(MOST_LISTED).default(0),
  limit: number().integer().min(1).max(100).default(10),
});

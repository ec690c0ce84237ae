import { number, object, string } from "yup";
import { attentionLists } from "#schema/attention-lists.ts";
import { line } from "./text.ts";

/** Nobody reads further than so many rows, and counting them would cost more than it tells. */
export const MOST_COUNTED = 1_000;

/** Which list, and which part of it. */
export const attentionListRules = object({
  list: string().oneOf(attentionLists, "There is no such list.").required("List is required."),
  search: line(200),
  offset: number().integer().min(0).max(MOST_COUNTED).default(0),
  limit: number().integer().min(1).max(100).default(10),
});

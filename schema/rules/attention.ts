import { object, string } from "yup";
import { type AttentionListName, attentionLists } from "#schema/attention-lists.ts";
import { line } from "#schema/text.ts";
import { listValues } from "#schema/closed-list.ts";

/** Highest count that the overview shows for an attention list. */
export const MAX_COUNTED = 1_000;

/** Highest count that an attention list shows. */
export const MAX_LISTED = 100_000;

/** Rules for the arguments of an attention list: its name and search. */
export const attentionListRules = object({
  list: string<AttentionListName>()
    .oneOf(listValues(attentionLists), "This list doesn't exist.")
    .required("List is required.")
    .meta({ list: () => attentionLists }),
  search: line(200),
});

import { GraphQLScalarType } from "graphql";
import { GraphQLDateTimeISO, GraphQLLocalDate } from "graphql-scalars";

/**
 * Accepts any text, because the rule of a field or argument validates it and names the field in its error. A rule also
 * accepts an empty field of a form as missing.
 */
function parseText(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("Must be a text.");
  return value;
}

/** Scalar of a calendar day. Its internal value is the text. */
export const DayScalar = new GraphQLScalarType<string, string>({
  name: "Date",
  description:
    "A calendar day, `YYYY-MM-DD`, in the vendor's time zone unless the description of the field names another.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
  serialize: (value) => GraphQLLocalDate.serialize(value) as string,
  parseValue: parseText,
});

/**
 * Scalar of a moment, and the type of fields declared with `() => Date`. An argument's internal value is the text, because
 * a day without a time means its start or its end (docs/domain.md#dates-in).
 */
export const MomentScalar = new GraphQLScalarType<Date | string, string>({
  name: "DateTime",
  description:
    "A moment, as ISO 8601 in UTC: `2026-11-28T01:02:03.000Z`. Arguments also accept an offset, or a day, `YYYY-MM-DD`, which means its start, or its end where it ends a period.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
  serialize: (value) => GraphQLDateTimeISO.serialize(value) as unknown as string,
  parseValue: parseText,
});

import { type TProperties, Type } from "typebox";
import { type CatalogueEntry, formatLegend } from "#schema/closed-list.ts";

// Response types of `/v1` as JSON Schema with TypeScript types.

export const id = Type.String({ format: "uuid" });
/** A time in ISO 8601, UTC, with milliseconds. */
export const moment = Type.String({ format: "date-time", description: "ISO 8601, UTC" });
export const text = Type.String();
export const cents = Type.Integer({ description: "Cents" });
export const count = Type.Integer({ minimum: 0 });
export const flag = Type.Boolean();

export const describedText = (description: string) => Type.String({ description });

/** Creates a named object type, which the document defines once. Names must be unique. */
export const namedObject = <Properties extends TProperties>(name: string, properties: Properties) =>
  Type.Object(properties, { title: name });

/** Creates an integer type for a list in the catalogue, with the list's labels as its description. */
export const catalogueNumber = (list: readonly CatalogueEntry[]) =>
  Type.Integer({ enum: list.map(({ value }) => value), description: formatLegend(list) });

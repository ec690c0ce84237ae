import { type TProperties, Type } from "typebox";
import { type CatalogueEntry, legend } from "#schema/catalogue.ts";

// Shapes of what `/v1` answers, as JSON Schema that TypeScript knows too (decision 0047).

/** An id of ours. */
export const id = Type.String({ format: "uuid" });
/** A moment in ISO 8601, UTC, with milliseconds. */
export const moment = Type.String({ format: "date-time", description: "ISO 8601, UTC" });
export const text = Type.String();
/** An amount of money. */
export const cents = Type.Integer({ description: "Cents" });
export const count = Type.Integer({ minimum: 0 });
export const truth = Type.Boolean();

/** A text that says more about itself. */
export const textOf = (description: string) => Type.String({ description });

/** A shape with a name, which stands once in the document; names are unique. */
export const named = <Properties extends TProperties>(name: string, properties: Properties) =>
  Type.Object(properties, { title: name });

/** A number of one of the catalogue's lists, whose labels are its description. */
export const numberOf = (list: readonly CatalogueEntry[]) =>
  Type.Integer({ enum: list.map(({ value }) => value), description: legend(list) });

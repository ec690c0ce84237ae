import { contactFields } from "./contact.ts";
import type { Fields } from "./field.ts";

/** The nouns that declare their fields. */
export const nouns = { contact: contactFields } satisfies Readonly<Record<string, Fields>>;

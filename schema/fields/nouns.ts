import { contactFields } from "./contact.ts";
import type { Fields } from "./field.ts";
import { licenceFields } from "./licence.ts";
import { promoCodeFields } from "./promo-code.ts";
import { userFields } from "./user.ts";

/** The nouns that declare their fields. */
export const nouns = {
  contact: contactFields,
  licence: licenceFields,
  "promo-code": promoCodeFields,
  user: userFields,
} satisfies Readonly<Record<string, Fields>>;

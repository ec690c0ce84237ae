/** Numbers and words that rules and pages share; the rules themselves bring yup along, which a page loads with its form. */

/** Fewest characters that the search of everything looks for. */
export const FEWEST_SEARCHED = 2;

/** Longest comment in characters. */
export const COMMENT_CHARACTERS = 500;

/** Nobody reads the contact form and writes a message in less; what comes faster is a program's (seconds). */
export const CONTACT_FORM_SECONDS = 2;

/** Devices a customer may deactivate in a year (docs/domain.md#deactivations). */
export const defaultDeactivationLimit = 3;

/** English name of the default country. */
export const defaultCountry = "Australia";

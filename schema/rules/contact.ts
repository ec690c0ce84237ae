import { type InferType, object } from "yup";
import { contactFields } from "#schema/fields/contact.ts";
import { getRules } from "#schema/field.ts";
import { line, revision } from "#schema/text.ts";

/** Rules for a contact, as sent by the form and GraphQL. */
export const contactRules = object(getRules(contactFields));
export type ContactValues = InferType<typeof contactRules>;

const id = (required: string) => line(100).required(required);

/** Body of `POST /v1/users/contact`. */
export const newContactRules = contactRules.shape({ userId: id("User is required.") });

/** Body of `PUT /v1/users/contact`. */
export const changedContactRules = newContactRules.shape({ id: id("Contact is required."), revision: revision() });

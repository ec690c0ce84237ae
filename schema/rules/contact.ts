import { type InferType, number, object } from "yup";
import { contactTypes } from "#schema/catalogue.ts";
import { revision } from "./revision.ts";
import { emailAddress, line, personName } from "./text.ts";

const TYPE_UNKNOWN = "Contact type is not one of the list.";

/** The type as its value; a select that nothing is chosen in sends empty text. */
const contactType = () =>
  number()
    .transform((value: number, original: unknown) =>
      typeof original === "string" && original.trim() === "" ? undefined : value,
    )
    .typeError(TYPE_UNKNOWN)
    .oneOf(
      contactTypes.map(({ value }) => value),
      TYPE_UNKNOWN,
    )
    .required("Contact type is required.");

const fields = {
  firstName: personName("First name is required."),
  lastName: personName("Last name is required."),
  email: emailAddress("Email is required."),
  phone: line(50, "Phone is too long.").required("Phone is required."),
  contactType: contactType(),
};

/** A person whom staff may reach at a customer's company, as form and GraphQL send it. */
export const contactRules = object(fields);
export type ContactValues = InferType<typeof contactRules>;

const id = (required: string) => line(100).required(required);

/** Body of `POST /v1/users/contact`. */
export const newContactRules = object({ userId: id("User is required."), ...fields });

/** Body of `PUT /v1/users/contact`. */
export const changedContactRules = object({
  userId: id("User is required."),
  id: id("Contact is required."),
  ...fields,
  revision: revision(),
});

import { number } from "yup";
import { contactTypes } from "#schema/catalogue.ts";
import { emailAddress, numberLine, personName } from "#schema/text.ts";
import { defineFields } from "#schema/field.ts";

const TYPE_UNKNOWN = "Contact type is not one of the list.";

/** Fields of a contact at a customer's company. */
export const contactFields = defineFields({
  firstName: {
    label: "First Name",
    rule: personName("First name"),
    example: "Ada",
    report: { title: "Contact first name", width: 20 },
  },
  lastName: {
    label: "Last Name",
    rule: personName("Last name"),
    example: "Byron",
    report: { title: "Contact last name", width: 20 },
  },
  email: {
    label: "Email",
    rule: emailAddress("Email is required."),
    example: "accounts@example.com",
    report: { title: "Contact email", width: 32 },
  },
  phone: {
    label: "Phone",
    rule: numberLine(50, "Phone is too long.")
      .required("Phone is required.")
      .matches(/\d/, { message: "Invalid phone number.", excludeEmptyString: true }),
    example: "+61 7 3000 0000",
    report: { title: "Contact phone" },
  },
  contactType: {
    label: "Contact type",
    rule: number()
      // An empty select sends an empty string.
      .transform((value: number, original: unknown) =>
        typeof original === "string" && original.trim() === "" ? undefined : value,
      )
      .typeError(TYPE_UNKNOWN)
      .oneOf(
        contactTypes.map(({ value }) => value),
        TYPE_UNKNOWN,
      )
      .required("Contact type is required.")
      .meta({ list: () => contactTypes }),
    example: 1,
    list: contactTypes,
    report: { title: "Contact type", width: 20 },
  },
});

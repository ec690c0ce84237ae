import { type InferType, object } from "yup";
import { defineList } from "./closed-list.ts";
import { defineFields, getRules } from "./field.ts";
import { emailAddress, line, numberLine, numberOfList, personName, revision } from "./text.ts";

export const contactTypes = defineList("ContactType", "The responsibility of a contact at the customer's company.", {
  PROCUREMENT: [1, "Procurement", "Buys licences."],
  ACCOUNTS: [2, "Accounts", "Pays invoices."],
  IT: [3, "IT", "Installs and supports the add-in."],
  PRINCIPAL_CONTACT: [4, "Principal Contact", "The first contact."],
  SUB_CONTACT: [5, "Sub Contact", "A further contact."],
  USER: [6, "User", "Uses the add-in."],
});

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
    rule: numberOfList(contactTypes, "Contact type is not one of the list.").required("Contact type is required."),
    example: 1,
    list: contactTypes,
    report: { title: "Contact type", width: 20 },
  },
});

/** Rules for a contact, as sent by the form and GraphQL. */
export const contactRules = object(getRules(contactFields));
export type ContactValues = InferType<typeof contactRules>;

const id = (required: string) => line(100).required(required);

/** Body of `POST /v1/users/contact`. */
export const newContactRules = contactRules.shape({ userId: id("User is required.") });

/** Body of `PUT /v1/users/contact`. */
export const changedContactRules = newContactRules.shape({ id: id("Contact is required."), revision: revision() });

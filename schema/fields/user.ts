import { number, type NumberSchema } from "yup";
import { type MemberType, memberTypes } from "#schema/catalogue.ts";
import { optionalCheckbox, phone } from "#schema/rules/account.ts";
import { addressRules } from "#schema/rules/address.ts";
import { abn } from "#schema/rules/invoice.ts";
import { emailAddress, line, personName } from "#schema/text.ts";
import { defineFields } from "#schema/field.ts";

// A cleared input has the value "", which is not a number.
const emptyToUndefined = (value: unknown, original: unknown) => (original === "" ? undefined : value);

const memberType = (): NumberSchema<MemberType> =>
  number()
    .transform(emptyToUndefined)
    .typeError("Member type is required.")
    .required("Member type is required.")
    .oneOf(
      memberTypes.map(({ value }) => value),
      "Member type is required.",
    )
    .meta({ list: () => memberTypes }) as NumberSchema<MemberType>;

/**
 * Returns the rule for a yearly limit from 0 to 1000. The messages suggest that 0 and 1000 aren't allowed, but both
 * are.
 */
export const deactivationLimit = () =>
  number()
    .transform(emptyToUndefined)
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(0, "Must be greater than 0.")
    .max(1000, "Must be less than 1000.");

/** All fields of a user that staff edit. Unlike in the users' own forms, the position is optional. */
export const userFields = defineFields({
  firstName: { label: "First Name", rule: personName("First name"), example: "Ada" },
  lastName: { label: "Last Name", rule: personName("Last name"), example: "Byron" },
  memberType: {
    label: "Member type",
    rule: memberType(),
    example: 1,
    list: memberTypes,
    stored: { memberType: "User type" },
  },
  companyName: {
    label: "Company name",
    rule: line(100),
    example: "Analytical Planning",
    stored: { companyName: "Company" },
  },
  position: { label: "Position", rule: line(100), example: "Planner" },
  email: { label: "Email", rule: emailAddress("Email is required."), example: "ada@example.com" },
  mobile: { label: "Phone", rule: phone().required("Mobile is required."), example: "+61 400 000 000" },
  abn: { label: "ABN", rule: abn(), example: "51 824 753 556" },
  fullAddress: {
    label: "Full address",
    rule: addressRules.fullAddress,
    example: "3/120 Eagle Street, Brisbane QLD 4000, Australia",
  },
  unitNumber: { label: "Unit number", rule: addressRules.unitNumber, example: "3" },
  streetNumber: { label: "Street number", rule: addressRules.streetNumber, example: "120" },
  streetName: { label: "Street name", rule: addressRules.streetName, example: "Eagle Street" },
  city: { label: "City", rule: addressRules.city, example: "Brisbane" },
  state: { label: "State", rule: addressRules.state, example: "QLD" },
  postCode: { label: "Post Code", rule: addressRules.postCode, example: "4000" },
  country: { label: "Country", rule: addressRules.country, example: "Australia" },
  referrer: { label: "Referrer", rule: line(200), example: "" },
  isServiceProvider: { label: "Service provider", rule: optionalCheckbox(), example: false },
  isTester: { label: "Tester", rule: optionalCheckbox(), example: false },
  issuedW8Form: {
    label: "Issued W-8 form",
    rule: optionalCheckbox(),
    example: false,
    stored: { issuedW8Form: "Issued W-8 form" },
  },
  completedSecurityInformation: { label: "Completed security information", rule: optionalCheckbox(), example: false },
  completedSoftwareQA: { label: "Completed software QA", rule: optionalCheckbox(), example: false },
  isSubscribedToNewsLetter: { label: "Subscribed to newsletter", rule: optionalCheckbox(), example: true },
  hasCompletedTrial: { label: "Has completed trial", rule: optionalCheckbox(), example: false },
  annualDeactivationLimit: {
    label: "Annual deactivation limit",
    rule: deactivationLimit().required("Annual deactivation limit is required."),
    example: 3,
  },
});

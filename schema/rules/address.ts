import { getAddressForm } from "#schema/address-forms.ts";
import { countries } from "#schema/countries.ts";
import { findCountry, suggestCountry } from "#schema/find-country.ts";
import { line } from "./text.ts";

export const australianStates = ["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"] as const;

type WithCountry = { country?: string };

/** Creates a rule for a part of addresses that not every country has. An empty text means that there is none. */
const partOfSome = (part: "state" | "postCode", max: number, message: string) =>
  line(max)
    .transform((value: unknown) => value ?? "")
    .default("")
    .test("required", message, function present(value) {
      return value !== "" || getAddressForm((this.parent as WithCountry).country)[part]?.isRequired !== true;
    });

/**
 * Rules for the address fields of registration and profile (docs/domain.md#customer-details). Countries are one of a closed list, and
 * given by their English name, a code or another name that people use; Australian and US states by their code. A post code has four digits in Australia and five in the
 * United States.
 */
export const addressRules = {
  fullAddress: line(300),
  unitNumber: line(30),
  streetNumber: line(30).required("Street number is required."),
  streetName: line(100).required("Street name is required."),
  city: line(100).required("City is required."),
  state: partOfSome("state", 100, "State is required.").test(
    "australian-state",
    "State is required.",
    function knownState(value) {
      if ((this.parent as WithCountry).country !== "Australia" || !value) return true;
      return (australianStates as readonly string[]).includes(value.toUpperCase());
    },
  ),
  postCode: partOfSome("postCode", 20, "Post code is required.").test("post-code", function shape(value) {
    const { country } = this.parent as WithCountry;
    if (!value) return true;
    if (country === "Australia" && !/^\d{4}$/.test(value))
      return this.createError({ message: "Invalid Australian post code." });
    if (country === "United States" && !/^\d{5}$/.test(value))
      return this.createError({ message: "Invalid US post code." });
    return true;
  }),
  country: line(100)
    .transform((value: unknown) => (typeof value === "string" ? (findCountry(value) ?? value) : value))
    .required("Country is required.")
    .test("country", function known(value) {
      if (!value || countries.includes(value)) return true;
      return this.createError({
        message: `Please choose a country from the list. Did you mean ${suggestCountry(value)}?`,
      });
    }),
};

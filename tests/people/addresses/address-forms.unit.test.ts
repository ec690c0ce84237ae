import { expect, test } from "vitest";
import { addressCountries, getAddressForm } from "#schema/address-forms.ts";
import { countries } from "#schema/countries.ts";

test("names only countries of the list", () => {
  expect(addressCountries.filter((country) => !countries.includes(country))).toEqual([]);
});

test("names the parts of addresses as the country does", () => {
  const shown = ["Australia", "United States", "United Kingdom", "Japan", "Singapore", "United Arab Emirates", "Samoa"];
  expect(shown.map(getAddressForm)).toEqual([
    { state: { label: "State", isRequired: true }, postCode: { label: "Post Code", isRequired: true } },
    { state: { label: "State", isRequired: true }, postCode: { label: "ZIP Code", isRequired: true } },
    { state: { label: "County", isRequired: false }, postCode: { label: "Postcode", isRequired: true } },
    { state: { label: "Prefecture", isRequired: true }, postCode: { label: "Postal Code", isRequired: true } },
    { state: null, postCode: { label: "Postal Code", isRequired: true } },
    { state: { label: "Emirate", isRequired: true }, postCode: null },
    { state: { label: "State", isRequired: true }, postCode: { label: "Post Code", isRequired: true } },
  ]);
});

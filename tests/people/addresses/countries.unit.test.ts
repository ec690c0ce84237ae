import { expect, test } from "vitest";
import { check } from "#api/platform/validate.ts";
import { countries } from "#schema/countries.ts";
import { findCountry } from "#schema/address.ts";
import { getRules } from "#schema/field.ts";
import { createUserRules, updateUserRules, userFields } from "#schema/user.ts";
import { profileRules, registerRules } from "#schema/account.ts";
import { importUserRules } from "#schema/import.ts";
import { invoiceDetailsRules } from "#schema/billing-details.ts";
import { buildRegistration } from "#tests/factories/user.ts";
import { addressCountries, getAddressForm } from "#schema/address-forms.ts";

test("finds a country by its name, codes, official and former names, and in other languages", () => {
  for (const [country, names] of [
    ["Australia", "AU|aus|AUSTRALIA|Aus\u200btralia|Ａｕｓｔｒａｌｉａ| The Commonwealth of Australia|オーストラリア"],
    ["United States", "US|USA|U.S.A.|United States of America|the united states|Estados Unidos"],
    ["United Kingdom", "uk|GB|Great Britain|United Kingdom of Great Britain and Northern Ireland"],
    ["South Korea", "Korea, Republic of|Korea (Republic of)|Republic of Korea|KOR|대한민국"],
    ["Congo, Democratic Republic", "Congo, The Democratic Republic of the|DR Congo|Congo (Kinshasa)|Zaire"],
    ["Micronesia", "Micronesia, Federated States of|FSM"],
    ["Côte d'Ivoire", "Cote d’Ivoire|Ivory Coast"],
    ["Saint Lucia", "St. Lucia|St Lucia"],
    ["Türkiye", "Turkey|Turkiye|TUR"],
    ["Germany", "Deutschland|Federal Republic of Germany"],
    ["Czechia", "Czech Republic"],
  ] as const)
    for (const name of names.split("|")) expect([name, findCountry(name)]).toEqual([name, country]);
  for (const name of countries) expect(findCountry(name.toUpperCase())).toBe(name);
  for (const name of ["Narnia", "Georgia, USA", "Austrlia", "A", "-", "Republic of"])
    expect(findCountry(name)).toBeUndefined();
});

test("every rule with an address stores a country of the list, checks its state and post code, and suggests the nearest", () => {
  const getFields = (rules: object, changes: Record<string, unknown>) => {
    const { fields } = rules as { fields: object };
    const values = { ...buildRegistration(changes) };
    try {
      const known = Object.entries(values).filter(([name]) => name in fields);
      return check(rules as typeof profileRules, Object.fromEntries(known));
    } catch (error) {
      return (error as { fields?: Record<string, string[]> }).fields;
    }
  };
  const wrong = ["Please choose a country from the list. Did you mean Australia?"];
  const all = [registerRules, profileRules, createUserRules, updateUserRules, importUserRules, invoiceDetailsRules];
  for (const rules of all) {
    expect(getFields(rules, { country: "Austrlia" })).toMatchObject({ country: wrong });
    expect(getFields(rules, { country: "au", state: "zz", postCode: "x" })).toMatchObject({
      state: ["State must be one of ACT, NSW, NT, QLD, SA, TAS, VIC, WA."],
      postCode: ["Invalid Australian post code."],
    });
  }
  expect(check(profileRules, buildRegistration({ country: "AUS" })).country).toBe("Australia");
  expect(getRules(userFields).country.cast(" DE ")).toBe("Germany");
});

test("names the parts of addresses as the country does", () => {
  expect(addressCountries.filter((country) => !countries.includes(country))).toEqual([]);
  const abroad = ["United Kingdom", "New Zealand", "Japan", "Singapore", "United Arab Emirates", "Samoa"];
  const shown = ["Australia", "United States", ...abroad];
  expect(shown.map(getAddressForm)).toEqual([
    { state: { label: "State", isRequired: true }, postCode: { label: "Post Code", isRequired: true } },
    { state: { label: "State", isRequired: true }, postCode: { label: "ZIP Code", isRequired: true } },
    { state: { label: "County", isRequired: false }, postCode: { label: "Postcode", isRequired: true } },
    { state: { label: "State", isRequired: false }, postCode: { label: "Post Code", isRequired: true } },
    { state: { label: "Prefecture", isRequired: true }, postCode: { label: "Postal Code", isRequired: true } },
    { state: null, postCode: { label: "Postal Code", isRequired: true } },
    { state: { label: "Emirate", isRequired: true }, postCode: null },
    { state: { label: "State", isRequired: true }, postCode: { label: "Post Code", isRequired: true } },
  ]);
});

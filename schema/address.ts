import { cleanKey, cleanNumber } from "./clean-text.ts";
import { getAddressForm } from "./address-forms.ts";
import { countries, countryTable, statesByCountry } from "./countries.ts";
import { line, mapText } from "./text.ts";

/** Languages in which people of many countries write the names of countries. English is first, so that it wins. */
const languages =
  "en de fr es it pt nl sv da nb fi pl cs hu ro el tr ru uk ar he fa hi th vi id ms ja ko zh zh-Hant".split(" ");

/** Words of official names, such as the Federal Republic of Germany. */
const forms =
  /^(?:(?:federal|federative|islamic|democratic|socialist|peoples|arab|oriental|plurinational|bolivarian|cooperative|independent|united|grand) )*(?:republic|kingdom|commonwealth|state|principality|duchy|sultanate|union|government) of (?:the )?/;

let names: ReadonlyMap<string, string> | undefined;

/**
 * Returns the name in {@link countries} of a country that is given by its name, official name, former name, name in another
 * common language, or code, in any spelling and letter case. Returns undefined if it names no country.
 */
export function findCountry(typed: string): string | undefined {
  if (countries.includes(typed)) return typed;
  const known = (names ??= listNames());
  const lookUp = (text: string) => {
    const words = toWords(text);
    return known.get(toKey(words)) ?? known.get(toKey(words.replace(forms, "")));
  };
  // Lists write "Iran (Islamic Republic of)" and "Moldova, Republic of".
  const [, name = "", form = ""] = /^([^,(]+)[,(]([^,)]+)\)?$/.exec(cleanKey(typed)) ?? [];
  return lookUp(typed) ?? lookUp(`${form} ${name}`) ?? (forms.test(`${toWords(form)} `) ? lookUp(name) : undefined);
}

/** Returns the two-letter code of a country in lower case, or undefined for an unknown country. */
export function findCountryCode(country: string): string | undefined {
  const name = findCountry(country);
  return countryTable.find((row) => row[0] === name)?.[1]?.toLowerCase();
}

function listNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name = "", ...others] of countryTable)
    for (const one of [name, ...others]) found.set(toKey(toWords(one)), name);
  for (const language of languages) {
    const regions = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
    for (const [name = "", code = ""] of countryTable) {
      const key = toKey(toWords(regions.of(code) ?? ""));
      if (key && !found.has(key)) found.set(key, name);
    }
  }
  return found;
}

/** Reduces spellings such as `St. Lucia`, `Saint Lucia` and `SAINT LUCIA` to one, and leaves out "the". */
function toWords(text: string): string {
  return cleanKey(text)
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/[.'’]/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replace(/\bst(?= )/g, "saint")
    .replace(/(?:^| )the(?= )/g, " ")
    .trim();
}

const toKey = (words: string) => words.replaceAll(" ", "");

/** Returns the name in {@link countries} that needs the fewest changes of letters to become `typed`. */
function suggestCountry(typed: string): string {
  const wanted = toKey(toWords(typed)).slice(0, 60);
  const distances = countries.map((name) => countChanges(wanted, toKey(toWords(name))));
  return countries[distances.indexOf(Math.min(...distances))] ?? "Australia";
}

function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of Array.from(from).entries()) {
    const next = [above + 1];
    for (let index = 0; index < to.length; index++)
      next.push(
        Math.min((row[index] ?? 0) + (to[index] === letter ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}

const codesOf = (country: string) => statesByCountry[country]?.map(({ value }) => value) ?? [];
const australianStates = codesOf("Australia");
const stateCodes = new Set([...australianStates, ...codesOf("United States")]);

/** Returns a state's code in upper case. Other countries abbreviate states in the same way. */
const toStateCode = (state: string) => (stateCodes.has(state.toUpperCase()) ? state.toUpperCase() : state);

/** Codes of Australian states by their name in lower case, which programs and spreadsheets send. */
const codeByAustralianName = new Map(
  "ACT Australian Capital Territory;NSW New South Wales;NT Northern Territory;QLD Queensland;SA South Australia;TAS Tasmania;VIC Victoria;WA Western Australia"
    .split(";")
    .map((row) => [row.replace(/^\w+ /, "").toLowerCase(), row.split(" ")[0]]),
);

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
 * given by their English name, a code or another name that people use; Australian and US states by their code, Australian ones also by their name. A post code has four digits in Australia and five in the
 * United States.
 */
export const addressRules = {
  // Forms make it of the other parts, which have at most 450 characters together.
  fullAddress: line(500),
  unitNumber: line(30),
  streetNumber: line(30).required("Street number is required."),
  streetName: line(100).required("Street name is required."),
  city: line(100).required("City is required."),
  state: partOfSome("state", 100, "State is required.")
    .transform(mapText(toStateCode))
    .when("country", ([country], rule) =>
      country === "Australia"
        ? rule.transform(mapText((state) => codeByAustralianName.get(state.toLowerCase()) ?? state))
        : rule,
    )
    // Clients have stored American states by name, too.
    .test("australian-state", `State must be one of ${australianStates.join(", ")}.`, function knownState(value) {
      return !value || (this.parent as WithCountry).country !== "Australia" || australianStates.includes(value);
    }),
  postCode: partOfSome("postCode", 20, "Post code is required.")
    .transform(mapText(cleanNumber))
    .test("post-code", function shape(value) {
      const { country } = this.parent as WithCountry;
      if (!value) return true;
      if (country === "Australia" && !/^\d{4}$/.test(value))
        return this.createError({ message: "Invalid Australian post code." });
      if (country === "United States" && !/^\d{5}$/.test(value))
        return this.createError({ message: "Invalid US post code." });
      return true;
    }),
  country: line(100)
    .transform(mapText((value) => findCountry(value) ?? value))
    .required("Country is required.")
    .test("country", function known(value) {
      if (!value || countries.includes(value)) return true;
      return this.createError({
        message: `Please choose a country from the list. Did you mean ${suggestCountry(value)}?`,
      });
    }),
};

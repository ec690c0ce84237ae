import { defaultCountry } from "./limits.ts";

/** A part of addresses in a country. */
interface AddressPart {
  readonly label: string;
  readonly isRequired: boolean;
}

/** How a country writes addresses. A part that it doesn't have is null. */
interface AddressForm {
  readonly state: AddressPart | null;
  readonly postCode: AddressPart | null;
}

/** The names of states. Countries without a row have a required State. `?` marks countries whose addresses may leave it out. */
const stateRows = `
  Province | Canada, China, Italy, Spain, Türkiye, South Africa, South Korea, Argentina, Indonesia, Thailand, Vietnam, Ecuador
  Province | Costa Rica, Panama, Cuba, Dominican Republic, Iran, Zambia, Mongolia, Papua New Guinea, Laos, Cambodia
  Province? | Belgium, Netherlands, Pakistan, Philippines, Sri Lanka, Nepal, Bulgaria, Solomon Islands, Fiji
  Prefecture | Japan
  Prefecture? | Greece
  County? | United Kingdom, Ireland, Kenya, Croatia, Hungary, Romania, Estonia, Norway, Sweden, Taiwan, Liberia
  Emirate | United Arab Emirates
  Department | Colombia, Honduras, Guatemala, Paraguay, Uruguay, Bolivia, El Salvador, Nicaragua, Peru
  Department? | France, Haiti, Benin
  Region | Chile, Russia, Ukraine
  Region? | Denmark, Iceland, Ghana, Namibia, Finland, Lithuania, Czechia, Slovakia, Poland, Israel, Tanzania
  Canton? | Switzerland
  State? | Germany, Austria, New Zealand, Slovenia, Saudi Arabia, Qatar
  Governorate | Egypt, Iraq, Oman, Kuwait, Yemen
  Governorate? | Jordan, Bahrain, Lebanon, Syria, Tunisia, Palestine
  Parish? | Jamaica, Barbados, Andorra, Dominica, Grenada, Latvia, Bermuda, Antigua and Barbuda
  Island? | Bahamas, Cayman Islands, Seychelles, Kiribati, Tuvalu, Cook Islands, Turks and Caicos Islands, Saint Kitts and Nevis
  District? | Portugal, Hong Kong, Luxembourg, Serbia, Cyprus, Mauritius, Belize
`;

/** Countries and territories too small for states. */
const withoutState =
  "Singapore, Monaco, Gibraltar, Macao, Vatican City, San Marino, Malta, Liechtenstein, Guernsey, Jersey, Isle of Man, Nauru, Niue, Tokelau, Aruba, Curaçao, Sint Maarten";

/** The names of post codes. Countries without a row have a required Post Code. */
const postCodeRows = `
  ZIP Code | United States, American Samoa, Guam, Northern Mariana Islands, Puerto Rico, US Virgin Islands, Philippines
  Postcode | United Kingdom, Netherlands, Guernsey, Jersey, Isle of Man
  Postal Code | Canada, Japan, Singapore, South Africa, China, South Korea, France, Germany, Spain, Italy, Mexico, Brazil
  PIN Code | India
  Eircode? | Ireland
  Postal Code? | Jamaica, Panama, Ghana, Kenya, Somalia, Saudi Arabia, Trinidad and Tobago, Peru, Colombia
`;

const withoutPostCode =
  "Hong Kong, Macao, United Arab Emirates, Qatar, Angola, Antigua and Barbuda, Aruba, Bahamas, Belize, Benin, Bolivia, Botswana, Burkina Faso, Burundi, Cameroon, Central African Republic, Chad, Comoros, Congo, Congo, Democratic Republic, Cook Islands, Côte d'Ivoire, Curaçao, Djibouti, Dominica, Equatorial Guinea, Eritrea, Fiji, Gabon, Gambia, Grenada, Guyana, Kiribati, Libya, Malawi, Mali, Mauritania, Nauru, Niue, North Korea, Rwanda, Saint Kitts and Nevis, Saint Lucia, Sao Tome and Principe, Seychelles, Sierra Leone, Sint Maarten, Solomon Islands, South Sudan, Suriname, Syria, Timor-Leste, Togo, Tokelau, Tonga, Tuvalu, Uganda, Vanuatu, Yemen, Zimbabwe";

// The only name of a country with a comma and a space.
const split = (names: string) => names.trim().split(/, (?!Democratic Republic)/);

function readRows(rows: string, without: string): ReadonlyMap<string, AddressPart | null> {
  const parts = new Map<string, AddressPart | null>(split(without).map((country) => [country, null]));
  for (const row of rows.trim().split("\n")) {
    const [name = "", countries = ""] = row.split(" | ");
    const part = { label: name.trim().replace("?", ""), isRequired: !name.endsWith("?") };
    for (const country of split(countries)) parts.set(country, part);
  }
  return parts;
}

const states = readRows(stateRows, withoutState);
const postCodes = readRows(postCodeRows, withoutPostCode);

/** The countries with their own names or rules, for tests. */
export const addressCountries: readonly string[] = [...new Set([...states.keys(), ...postCodes.keys()])];

/**
 * Returns which parts addresses in a country have, by its English name (docs/domain.md#customer-details). Unknown countries have
 * a required state and post code.
 */
export function getAddressForm(country: string | undefined): AddressForm {
  const [state, postCode] = [states, postCodes].map((parts) => parts.get(country ?? ""));
  return {
    state: state === undefined ? { label: "State", isRequired: true } : state,
    postCode: postCode === undefined ? { label: "Post Code", isRequired: true } : postCode,
  };
}

/** The parts of an address, in the order of a form. */
export const addressNames = [
  "unitNumber",
  "streetNumber",
  "streetName",
  "city",
  "state",
  "postCode",
  "country",
] as const;

/** An address before it is entered. */
export const blankAddress = {
  unitNumber: "",
  streetNumber: "",
  streetName: "",
  city: "",
  state: "",
  postCode: "",
  country: defaultCountry,
};

export interface AddressValues {
  readonly unitNumber?: string | null | undefined;
  readonly streetNumber: string;
  readonly streetName: string;
  readonly city: string;
  readonly state: string;
  readonly postCode: string;
  readonly country: string;
}

/** Formats an address as one line: `3/120 Eagle Street, Brisbane QLD 4000, Australia`. */
export function formatFullAddress(address: AddressValues): string {
  const { unitNumber, streetNumber, streetName, city, state, postCode, country } = address;
  const number = unitNumber?.trim() ? `${unitNumber.trim()}/${streetNumber}` : streetNumber;
  return `${number} ${streetName}, ${[city, state, postCode].filter(Boolean).join(" ")}, ${country}`;
}

/** Formats an address as the lines of a document: `Unit 3, 120 Eagle Street`, `Brisbane QLD 4000`, `Australia`. */
export function formatAddressLines(address: AddressValues): string[] {
  const { unitNumber, streetNumber, streetName, city, state, postCode, country } = address;
  const unit = unitNumber && `Unit ${unitNumber.replace(/^unit\s+/i, "")},`;
  const lines = [[unit, streetNumber, streetName], [city, state, postCode], [country]];
  return lines.map((parts) => parts.filter(Boolean).join(" ")).filter(Boolean);
}

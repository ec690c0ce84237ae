import { beforeEach, expect, test } from "vitest";
import { createGooglePlaces } from "#api/people/addresses/address.resolver.ts";
import { countries } from "#schema/countries.ts";
import { findCountryCode } from "#schema/address.ts";
import { type ServiceAnswer, type ServiceRequest, startJsonService } from "#tests/support/json-service.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const key = "key-that-nobody-sees";
const place = { city: "Brisbane City", state: "QLD", postCode: "4000", country: "Australia" };
const eagleStreet = { unitNumber: "3", streetNumber: "120", streetName: "Eagle Street", ...place };

/** Recorded responses of Addressfinder, shortened to the relevant fields. */
const addressfinder: Record<string, unknown> = {
  autocomplete: {
    completions: [
      { full_address: "Unit 3, 120 Eagle Street, BRISBANE CITY QLD 4000", id: "27a38c36-b16c-0c39-cf4c-27dda2a5a4a9" },
    ],
    paid: true,
    success: true,
  },
  metadata: {
    full_address: "Unit 3, 120 Eagle Street, BRISBANE CITY QLD 4000",
    unit_type: "UNIT",
    unit_identifier: "3",
    street_number_1: "120",
    street_number_2: null,
    street_name: "EAGLE",
    street_type: "STREET",
    street_suffix: null,
    locality_name: "BRISBANE CITY",
    state_territory: "QLD",
    postcode: "4000",
    success: true,
  },
};

/** Recorded responses of Google Places (New). */
const googleSuggestions = {
  suggestions: [
    {
      placePrediction: {
        placeId: "ChIJ-eagle_120",
        text: { text: "3/120 Eagle Street, Brisbane City QLD, Australia" },
      },
    },
    { queryPrediction: { text: { text: "eagle street" } } },
  ],
};
const googlePlace = {
  addressComponents: [
    { longText: "3", shortText: "3", types: ["subpremise"] },
    { longText: "120", shortText: "120", types: ["street_number"] },
    { longText: "Eagle Street", shortText: "Eagle St", types: ["route"] },
    { longText: "Brisbane City", shortText: "Brisbane City", types: ["locality", "political"] },
    { longText: "Queensland", shortText: "QLD", types: ["administrative_area_level_1", "political"] },
    { longText: "Australia", shortText: "AU", types: ["country", "political"] },
    { longText: "4000", shortText: "4000", types: ["postal_code"] },
  ],
};

let answer: (request: ServiceRequest) => ServiceAnswer = () => ({ status: 500 });
const service = await startJsonService((request) => answer(request));
const app = await startTestApp({ addressProvider: { name: "addressfinder", apiKey: key, url: service.url } });
const embedded = await startTestApp({ rateLimits: true });

beforeEach(() => {
  service.requests.length = 0;
});

const suggestions =
  "query Suggest($text: String!, $country: String!) { addressSuggestions(text: $text, country: $country) { label parts { city postCode } id } }";
const suggest = async (text: string, test = app, country = "Australia") =>
  (await test.graphql(suggestions, { text, country })).data?.addressSuggestions;
const find = async (id: string) =>
  (await app.graphql("suggestedAddress { unitNumber streetNumber streetName city state postCode country }", { id }))
    .data?.suggestedAddress;
const settings = { apiKey: key, url: service.url };
const signal = () => AbortSignal.timeout(5_000);

test("returns localities with their parts to everyone", async () => {
  expect((await suggest("bris", embedded))[0]).toMatchObject({
    label: "Brisbane QLD 4000",
    parts: { city: "Brisbane", postCode: "4000" },
  });
  for (const country of ["AU", "australia", "Commonwealth of Australia"])
    expect((await suggest("４０００\u200b", embedded, country))[0].parts.postCode).toBe("4000");
  const odd = ["\u0000\u0001", "\ud800", "%%", "('; --", "é".repeat(5_000), "🏠🏠"];
  for (const nothing of ["", "b", "   b  ", "zzzz", ...odd]) expect(await suggest(nothing, embedded)).toEqual([]);
});

test("limits requests to 90 a minute", async () => {
  await suggest("syd", embedded);
  await embedded.services.pool.query("update rate_limits set points = 89 where key like 'addressSuggestions:%'");
  expect(await suggest("syd", embedded)).not.toEqual([]);
  const { errors } = await embedded.graphql(suggestions, { text: "syd", country: "Australia" });
  expect(errors?.[0]?.extensions.code).toBe("RATE_LIMITED");
});

test("Addressfinder suggests addresses and returns the parts of the chosen one", async () => {
  answer = ({ url }) => ({ json: addressfinder[url.pathname.split("/").at(-1) ?? ""] });
  const [first] = await suggest("120 eagle");
  expect(first).toEqual({
    id: "27a38c36-b16c-0c39-cf4c-27dda2a5a4a9",
    label: "Unit 3, 120 Eagle Street, BRISBANE CITY QLD 4000",
    parts: null,
  });
  expect(await find(first.id)).toEqual(eagleStreet);
  expect(service.requests.map(({ url }) => url.pathname)).toEqual([
    "/api/au/address/autocomplete",
    "/api/au/address/metadata",
  ]);
  expect(Object.fromEntries(service.requests[0]?.url.searchParams ?? [])).toMatchObject({ key, q: "120 eagle" });
});

test("Addressfinder is not called for other countries or fewer than two characters", async () => {
  const { data } = await app.graphql(suggestions, { text: "queen street", country: "New Zealand" });
  expect(data.addressSuggestions).toEqual([]);
  expect(await suggest("q")).toEqual([]);
  expect(service.requests).toEqual([]);
});

test("Addressfinder's capitals become names, and an unknown id has no parts", async () => {
  answer = () => ({ json: { ...(addressfinder.metadata as object), street_name: "MCKAY", locality_name: "O'CONNOR" } });
  expect(await find("27a38c36")).toMatchObject({ streetName: "McKay Street", city: "O'Connor" });
  answer = () => ({ json: { success: false } });
  for (const id of ["unknown", "x".repeat(500)]) expect(await find(id)).toBeNull();
});

const places = createGooglePlaces({ ...settings, name: "google-places" });

test("Google Places suggests addresses in the country and returns the parts of the chosen one", async () => {
  answer = ({ method }) => ({ json: method === "POST" ? googleSuggestions : googlePlace });
  const found = await places.suggest("120 eagle", "Australia", signal());
  expect(found).toEqual([
    { id: "ChIJ-eagle_120", label: "3/120 Eagle Street, Brisbane City QLD, Australia", parts: null },
  ]);
  expect(await places.find("ChIJ-eagle_120", signal())).toEqual(eagleStreet);
  const [first, second] = service.requests;
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ input: "120 eagle", includedRegionCodes: ["au"] });
  expect(second?.url.pathname).toBe("/v1/places/ChIJ-eagle_120");
  expect(second?.headers["x-goog-fieldmask"]).toBe("addressComponents");
  for (const { headers, url } of service.requests) {
    expect(headers["x-goog-api-key"]).toBe(key);
    expect(url.href).not.toContain(key);
  }
});

test("Google Places returns no suggestions if the response has none, and doesn't use unsafe ids in a path", async () => {
  answer = () => ({ json: {} });
  expect(await places.suggest("zzzz", "Australia", signal())).toEqual([]);
  for (const id of ["..", "../v2/x", "a/b", "a?b=c", ""]) expect(await places.find(id, signal()), id).toBeNull();
  expect(service.requests).toHaveLength(1);
});

test("Google Places knows the codes of all countries in the list", () => {
  expect(["Australia", "United States", "New Zealand"].map(findCountryCode)).toEqual(["au", "us", "nz"]);
  expect(countries.filter((country) => findCountryCode(country))).toEqual(countries);
});

test("uses the embedded localities and keeps the key private if the service fails", async () => {
  const answers: [string, ServiceAnswer][] = [
    ["fails", { status: 500 }],
    ["rejects the key", { status: 401 }],
    ["returns something else", { json: { completions: "none" } }],
    ["returns invalid JSON", { body: '{"comple' }],
    ["redirects", { status: 302 }],
    ["finds nothing", { json: { completions: [] } }],
    ["doesn't answer", "silence"],
  ];
  for (const [fault, given] of answers) {
    answer = () => given;
    const { data, errors } = await app.graphql(suggestions, { text: "4000", country: "Australia" });
    expect(errors, fault).toBeUndefined();
    expect(data.addressSuggestions[0].label, fault).toBe("Brisbane QLD 4000");
    expect(JSON.stringify(data)).not.toContain(key);
  }
});

test("reports whether streets can be found", async () => {
  const query = "{ addressSearchFindsStreets }";
  expect((await embedded.graphql(query)).data).toEqual({ addressSearchFindsStreets: false });
  expect((await app.graphql(query)).data).toEqual({ addressSearchFindsStreets: true });
});

/**
 * The areas of the product, lowest first. `api/`, `web/` and `tests/` share them: `api/<area>/<noun>/`. An area imports
 * only itself, areas earlier in this list, `platform` and `schema`.
 */
export const areas = [
  { name: "people", nouns: "users, companies, addresses" },
  { name: "audit", nouns: "change log, security events" },
  { name: "releases", nouns: "software builds, channels, downloads" },
  { name: "messaging", nouns: "emails, contact form" },
  { name: "access", nouns: "registration, sign-in, sessions, two-step sign-in, passwords, personal access tokens" },
  { name: "webhooks", nouns: "endpoints, events, deliveries" },
  { name: "licensing", nouns: "licences, devices, leases, usage, trials, offline files, move codes, sandbox" },
  {
    name: "billing",
    nouns: "plans, prices, promo codes, subscriptions, invoices, payments, refunds, credits, quotes, tax, revenue",
  },
  { name: "staff", nouns: "user administration, contacts, comments, search, timeline, attention, dashboard, reports" },
  { name: "privacy", nouns: "data export, erasure, retention" },
];

/** Folders of `tests/` in addition to the areas, for shared test code and tests of the whole product. */
export const testFolders = [
  "journeys",
  "operations",
  "app",
  "planted",
  "factories",
  "platform",
  "site",
  "support",
  "tooling",
  "ui",
];

/** Folders below and above the areas, lowest first. Folders in the same inner list may import each other. */
const layers = {
  api: { below: ["platform"], above: [["app", "v1", "migrations", "dev"]] },
  web: {
    below: ["generated", "platform", "ui"],
    above: ["site", "app"],
  },
};

/** Returns the layer or area of a file in `api/` or `web/` and its rank (-1 if it is in none), or null for other files. */
export function locate(file) {
  const [part, ...rest] = file.split("/");
  const layer = layers[part];
  if (!layer) return null;
  // Files at the root of api/ combine the areas, so they belong to `app`.
  const name = rest.length > 1 ? rest[0] : "app";
  const order = [...layer.below, ...areas.map((area) => area.name), ...layer.above];
  const rank = order.findIndex((entry) => [entry].flat().includes(name));
  return { part, name, rank, isArea: areas.some((area) => area.name === name) };
}

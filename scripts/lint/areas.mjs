/**
 * The areas of the product, lowest first. `api/`, `web/` and `tests/` share them: `api/<area>/<noun>/`. An area imports
 * only itself, areas above it in this list, `platform` and `schema`.
 */
export const areas = [
  { name: "people", holds: "users, companies, addresses" },
  { name: "audit", holds: "change log, security events" },
  { name: "releases", holds: "software builds, channels, downloads" },
  { name: "messaging", holds: "emails, contact form" },
  { name: "access", holds: "registration, sign-in, sessions, two-step sign-in, passwords, personal access tokens" },
  { name: "webhooks", holds: "endpoints, events, deliveries" },
  { name: "licensing", holds: "licences, devices, leases, usage, trials, offline files, move codes, sandbox" },
  { name: "selling", holds: "plans, promo codes, subscriptions, tax invoices, payments" },
  { name: "billing", holds: "staff's side of money" },
  { name: "staff", holds: "user administration, contacts, comments, search, timeline, attention, dashboard, reports" },
  { name: "privacy", holds: "data export, erasure, retention" },
];

/** Folders of `tests/` beside the areas: what tests share, and tests of the whole product. */
export const testFolders = ["app", "factories", "platform", "site", "support", "tooling", "ui"];

/** Folders below and above the areas, lowest first; folders of one list may import each other. */
const layers = {
  api: { below: ["platform"], above: [["app", "v1", "migrations", "dev"]] },
  web: { below: ["generated", "platform", "ui"], above: ["site", "pages", "app"] },
};

/** Where a file of `api/` or `web/` stands: its layer or area, and its rank, -1 for none; null for files elsewhere. */
export function standingOf(file) {
  const [part, ...rest] = file.split("/");
  const layer = layers[part];
  if (!layer) return null;
  // Files at the root of api/ compose the areas.
  const name = rest.length > 1 ? rest[0] : "app";
  const order = [...layer.below, ...areas.map((area) => area.name), ...layer.above];
  const rank = order.findIndex((entry) => [entry].flat().includes(name));
  return { part, name, rank, isArea: areas.some((area) => area.name === name) };
}

import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";

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

/** Node's built-in modules, without the `node:` prefix. */
export const nodeBuiltins = new Set(builtinModules);

const under = (target, ...folders) => folders.some((folder) => target.file?.startsWith(`${folder}/`));

/** Returns whether a part of `web/ui/` imports Mantine. */
function usesMantine(file) {
  const path = join(import.meta.dirname, "../..", file ?? "");
  return file?.startsWith("web/ui/") && existsSync(path) && /from "@mantine\//.test(readFileSync(path, "utf8"));
}

/** Returns whether an import points to a higher layer or area. */
function isUpward(file, target) {
  const [from, to] = [locate(file), target.file ? locate(target.file) : null];
  return from !== null && to !== null && from.part === to.part && from.rank >= 0 && to.rank > from.rank;
}

/**
 * Rules on imports. The first zone that matches the importing file (`in`) and forbids the target provides the message.
 * `dynamic` is true for `import()`.
 */
export const zones = [
  {
    in: /^schema\//,
    forbids: (target) => !under(target, "schema") && !["yup", "@date-fns/tz"].includes(target.package),
    because:
      "schema/ is shared by portal, api and add-in: it imports only yup, @date-fns/tz and schema/. Put code that needs more into api/ or web/.",
  },
  {
    in: /^api\//,
    except: /^api\/dev\//,
    forbids: (target, { file, dynamic }) =>
      under(target, "api/dev") && !(dynamic && /^api\/(server|serve|app)\.ts$/.test(file)),
    because:
      "api/dev/ never loads in production: only api/server.ts, api/serve.ts and api/app.ts may reach it, through `await import(…)` after checking config.production.",
  },
  {
    in: /^api\//,
    forbids: (target) => under(target, "web", "tests", "bench", "scripts"),
    because: "The api may not import the portal or the tests: put code that both sides need into schema/.",
  },
  {
    in: /^api\//,
    except: /^api\/platform\/graphql\/loaders\.ts$/,
    forbids: (target) => target.package === "dataloader",
    because:
      "Related rows are loaded in one way: use createLoader or createRelationLoader of api/platform/graphql/loaders.ts.",
  },
  {
    in: /^(api|web)\//,
    forbids: (target, { file }) => locate(file)?.rank === -1,
    because: (_target, { file }) =>
      `${file} is in no area: put it in ${areas.map(({ name }) => name).join(", ")}, or in platform (scripts/lint/areas.mjs).`,
  },
  {
    in: /^(api|web)\//,
    forbids: (target, { file }) => isUpward(file, target),
    because: (target, { file }) => {
      const [from, to] = [locate(file), locate(target.file)];
      const solution = to.isArea
        ? `Move this code to ${to.part}/${to.name}/, or let ${to.name} register its part (api/platform/slots.ts).`
        : `Pass it as an argument, or move this code to ${to.part}/${to.name}/.`;
      return `${from.part}/${from.name}/ is below ${to.part}/${to.name}/ and may not import it. ${solution}`;
    },
  },
  {
    in: /^web\//,
    forbids: (target) => under(target, "api", "tests", "bench", "scripts"),
    because:
      "The portal uses the api only through GraphQL: use the generated hooks, and put shared rules into schema/.",
  },
  {
    in: /^web\//,
    forbids: (target) => target.builtin !== undefined,
    because: "The portal runs in a browser, where Node's modules don't exist.",
  },
  {
    in: /^web\/site\//,
    forbids: (target) => target.package === "@apollo/client",
    because:
      "Pages of the site load without Apollo Client: put the operation into web/<area>/<noun>/ and use its hook there.",
  },
  {
    in: /^web\/(site|ui\/pictures)\//,
    forbids: (target) => target.package?.startsWith("@mantine/") || usesMantine(target.file),
    because: "Public pages don't load Mantine: use the parts of web/ui/ that do without (decision 0151).",
  },
  {
    in: /^(api|web|schema|tests|bench)\//,
    forbids: (target, { file, specifier }) =>
      specifier.startsWith("../") && target.file !== undefined && target.file.split("/")[0] === file.split("/")[0],
    fix: (target) => `#${target.file}`,
    because: "Relative imports stay inside their folder; elsewhere use #api/…, #web/…, #schema/…, #tests/….",
  },
];

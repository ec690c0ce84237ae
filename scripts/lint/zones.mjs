import { builtinModules } from "node:module";

/** Node's own modules, also without their prefix. */
export const nodeBuiltins = new Set(builtinModules);

const under = (target, ...folders) => folders.some((folder) => target.file?.startsWith(`${folder}/`));

/**
 * Who may import whom. The first zone whose `in` matches the importing file and that forbids the
 * target gives the sentence; `dynamic` is true for `import()`.
 */
export const zones = [
  {
    in: /^schema\//,
    forbids: (target) => !under(target, "schema") && !["yup", "@date-fns/tz"].includes(target.package),
    because:
      "schema/ is what portal, api and add-in agreed on: it imports only yup, @date-fns/tz and schema/. Put what needs more into api/ or web/.",
  },
  {
    in: /^api\//,
    except: /^api\/dev\//,
    forbids: (target, { file, dynamic }) =>
      under(target, "api/dev") && !(dynamic && /^api\/(server|app)\.ts$/.test(file)),
    because:
      "api/dev/ never loads in production: only api/server.ts and api/app.ts may reach it, through `await import(…)` behind the check of config.production.",
  },
  {
    in: /^api\//,
    forbids: (target) => under(target, "web", "tests", "scripts"),
    because: "The api knows neither the portal nor the tests: what both sides need belongs into schema/.",
  },
  {
    in: /^api\/platform\//,
    except: /^api\/platform\/(entities|schema)\.ts$/,
    forbids: (target) => under(target, "api/features", "api/v1"),
    because:
      "api/platform/ is the ground the features stand on and imports none of them: hand the feature in as an argument, or move the code to its noun in api/features/.",
  },
  {
    in: /^api\/features\//,
    forbids: (target) => under(target, "api/v1"),
    because:
      "api/v1/ is a thin face of the features: the rule belongs into api/features/<noun>/, and the route calls it.",
  },
  {
    in: /^web\//,
    forbids: (target) => under(target, "api", "tests", "scripts"),
    because:
      "The portal talks to the api over GraphQL alone: use the generated hooks, and put rules that both need into schema/rules/.",
  },
  {
    in: /^web\//,
    forbids: (target) => target.builtin !== undefined,
    because: "The portal runs in a browser, which has none of Node's modules.",
  },
  {
    in: /^web\/ui\//,
    forbids: (target) => under(target, "web/features", "web/pages", "web/app", "web/generated"),
    because:
      "web/ui/ knows no noun of the business: hand over what it needs as props, or move the part to web/features/<noun>/.",
  },
  {
    in: /^web\/features\//,
    forbids: (target) => under(target, "web/pages"),
    because: "web/features/ is composed by pages and never imports one: move the shared part to web/features/<noun>/.",
  },
  {
    in: /^web\/pages\//,
    forbids: (target) => target.package === "@apollo/client",
    because:
      "A page composes features: put the operation beside its feature in web/features/<noun>/ and use its hook there.",
  },
  {
    in: /^web\/pages\/(public|customer|admin)\//,
    forbids: (target, { file }) => under(target, "web/pages") && target.file.split("/")[2] !== file.split("/")[2],
    because: "Public, customer and admin pages load apart: share a part through web/features/<noun>/ or web/ui/.",
  },
  {
    in: /^(api|web|schema|tests)\//,
    forbids: (target, { file, specifier }) =>
      specifier.startsWith("../") && target.file !== undefined && target.file.split("/")[0] === file.split("/")[0],
    fix: (target) => `#${target.file}`,
    because: "Relative imports stay inside their folder; elsewhere use #api/…, #web/…, #schema/…, #tests/….",
  },
];

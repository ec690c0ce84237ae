import { builtinModules } from "node:module";
import { areas, standingOf } from "./areas.mjs";

/** Node's own modules, also without their prefix. */
export const nodeBuiltins = new Set(builtinModules);

const under = (target, ...folders) => folders.some((folder) => target.file?.startsWith(`${folder}/`));

/** Whether an import leads to a layer or area above the importing file's own. */
export function isUpward(file, target) {
  const [from, to] = [standingOf(file), target.file ? standingOf(target.file) : null];
  return from !== null && to !== null && from.part === to.part && from.rank >= 0 && to.rank > from.rank;
}

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
    in: /^api\//,
    except: /^api\/platform\/loaders\.ts$/,
    forbids: (target) => target.package === "dataloader",
    because: "Related rows are loaded in one way: use createLoader or createRelationLoader of api/platform/loaders.ts.",
  },
  {
    in: /^(api|web)\//,
    forbids: (target, { file }) => standingOf(file)?.rank === -1,
    because: (_target, { file }) =>
      `${file} is in no area: put it in ${areas.map(({ name }) => name).join(", ")}, or in platform (scripts/lint/areas.mjs).`,
  },
  {
    in: /^(api|web)\//,
    forbids: (target, { file }) => isUpward(file, target),
    because: (target, { file }) => {
      const [from, to] = [standingOf(file), standingOf(target.file)];
      const wayOut = to.isArea
        ? `Move this code to ${to.part}/${to.name}/, or let ${to.name} register its part (api/platform/registry.ts).`
        : `Hand it in as an argument, or move this code to ${to.part}/${to.name}/.`;
      return `${from.part}/${from.name}/ is below ${to.part}/${to.name}/ and may not import it. ${wayOut}`;
    },
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
    in: /^web\/pages\//,
    forbids: (target) => target.package === "@apollo/client",
    because: "A page composes parts: put the operation into web/<area>/<noun>/ and use its hook there.",
  },
  {
    in: /^web\/pages\/(public|customer|admin)\//,
    forbids: (target, { file }) => under(target, "web/pages") && target.file.split("/")[2] !== file.split("/")[2],
    because: "Public, customer and admin pages load apart: share a part through web/<area>/<noun>/ or web/ui/.",
  },
  {
    in: /^(api|web|schema|tests)\//,
    forbids: (target, { file, specifier }) =>
      specifier.startsWith("../") && target.file !== undefined && target.file.split("/")[0] === file.split("/")[0],
    fix: (target) => `#${target.file}`,
    because: "Relative imports stay inside their folder; elsewhere use #api/…, #web/…, #schema/…, #tests/….",
  },
];

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");

interface Fixture {
  readonly file: string;
  readonly source: string;
  /** Part of the expected message, or null if the file must pass. */
  readonly says: string | null;
}

function resolverWith(decorator: string, body: string): string {
  return `export class PlanResolver {\n  @${decorator}(() => [String])\n  async prices(plan, context) {\n    ${body}\n  }\n}`;
}

const fixtures: readonly Fixture[] = [
  {
    file: "schema/rules/uses-api.ts",
    source: 'export { readConfig } from "#api/config.ts";',
    says: "it imports only yup, @date-fns/tz and schema/",
  },
  {
    file: "schema/rules/uses-package.ts",
    source: 'import { nanoid } from "nanoid";\nexport const id = nanoid();',
    says: "it imports only yup, @date-fns/tz and schema/",
  },
  {
    file: "api/staff/contacts/casts.ts",
    source:
      'import type { ContactValues } from "#schema/rules/contact.ts";\nexport const values = (input: unknown) => input as ContactValues;',
    says: "Don't cast to the values of a rule",
  },
  { file: "schema/rules/right.ts", source: 'import { string } from "yup";\nexport const name = string();', says: null },
  {
    file: "web/pages/public/uses-apollo.tsx",
    source: 'import { useQuery } from "@apollo/client/react";\nexport const data = useQuery;',
    says: "put the operation into web/<area>/<noun>/",
  },
  {
    file: "web/pages/public/uses-admin.tsx",
    source: 'export { Users } from "#web/pages/admin/users.tsx";',
    says: "customer and admin pages load separately",
  },
  { file: "web/pages/public/right.tsx", source: 'export { Card } from "#web/selling/plans/card.tsx";', says: null },
  {
    file: "web/selling/plans/uses-page.tsx",
    source: 'export { Home } from "#web/pages/public/home.tsx";',
    says: "web/selling/ is below web/pages/ and may not import it. Pass it as an argument",
  },
  {
    file: "web/ui/uses-feature.tsx",
    source: 'export { Card } from "#web/selling/plans/card.tsx";',
    says: "web/ui/ is below web/selling/ and may not import it. Move this code to web/selling/",
  },
  {
    file: "web/selling/plans/uses-api.ts",
    source: 'import type { User } from "#api/people/users/user.entity.ts";\nexport type Row = User;',
    says: "uses the api only through GraphQL",
  },
  {
    file: "web/app/uses-node.ts",
    source: 'export { readFileSync } from "node:fs";',
    says: "where Node's modules don't exist",
  },
  {
    file: "api/selling/plans/uses-v1.ts",
    source: 'export { routes } from "#api/v1/routes.ts";',
    says: "api/selling/ is below api/v1/ and may not import it.",
  },
  {
    file: "api/platform/uses-feature.ts",
    source: 'export { signIn } from "#api/access/sessions/sign-in.ts";',
    says: "api/platform/ is below api/access/ and may not import it.",
  },
  {
    file: "api/people/users/uses-licence.ts",
    source: 'export type { Licence } from "#api/licensing/licences/licence.entity.ts";',
    says: "let licensing register its part (api/platform/slots.ts)",
  },
  {
    file: "api/licensing/licences/uses-user.ts",
    source: 'export { User } from "#api/people/users/user.entity.ts";',
    says: null,
  },
  {
    file: "api/warehouse/shelves/shelf.ts",
    source: 'export { User } from "#api/people/users/user.entity.ts";',
    says: "is in no area: put it in people, audit",
  },
  { file: "api/v1/right.ts", source: 'export { signIn } from "#api/access/sessions/sign-in.ts";', says: null },
  {
    file: "api/v1/uses-web.ts",
    source: 'export { paths } from "#web/platform/paths.ts";',
    says: "may not import the portal or the tests",
  },
  {
    file: "api/app/health.ts",
    source: 'export { fill } from "#api/dev/demo-data.ts";',
    says: "api/dev/ never loads in production",
  },
  {
    file: "api/server.ts",
    source: 'export { fill } from "#api/dev/demo-data.ts";',
    says: "api/dev/ never loads in production",
  },
  { file: "api/app.ts", source: 'export const dev = async () => import("#api/dev/register-dev.ts");', says: null },
  {
    file: "api/selling/plans/far.ts",
    source: 'export { hash } from "../auth/password.ts";',
    says: "Relative imports stay inside their folder",
  },
  {
    file: "api/selling/plans/reads-setting.ts",
    source: 'export const level = process.env.LOG_LEVEL ?? "";',
    says: "Settings are read in one place",
  },
  { file: "api/config.ts", source: 'export const level = process.env.LOG_LEVEL ?? "";', says: null },
  {
    file: "api/selling/plans/new-date.ts",
    source: "export const at = new Date();",
    says: "Time comes from the clock",
  },
  {
    file: "api/selling/plans/date-now.ts",
    source: "export const at = Date.now();",
    says: "Time comes from the clock",
  },
  {
    file: "api/selling/plans/date-of.ts",
    source: "export const at = (ms: number) => new Date(ms);",
    says: null,
  },
  { file: "api/platform/clock.ts", source: "export const at = Date.now();", says: null },
  {
    file: "api/selling/plans/own-loader.ts",
    source: 'import DataLoader from "dataloader";\nexport const loader = DataLoader;',
    says: "use createLoader or createRelationLoader",
  },
  {
    file: "api/selling/plans/reads-for-each-row.resolver.ts",
    source: resolverWith("FieldResolver", "return context.em.find(Price, { plan: plan.id });"),
    says: "A field resolver reads other rows through a loader",
  },
  {
    file: "api/selling/plans/reads-from-the-pool.resolver.ts",
    source: resolverWith("FieldResolver", "const { pool } = context;\n    return pool;"),
    says: "A field resolver reads other rows through a loader",
  },
  {
    file: "api/selling/plans/loads-by-the-library.resolver.ts",
    source: resolverWith("FieldResolver", "return plan.prices.loadItems();"),
    says: "A field resolver reads other rows through a loader",
  },
  {
    file: "api/selling/plans/uses-a-loader.resolver.ts",
    source: resolverWith("FieldResolver", "return loadPrices(context, plan.id);"),
    says: null,
  },
  {
    file: "api/selling/plans/reads-once.resolver.ts",
    source: resolverWith("Query", "return context.em.find(Plan, plan);"),
    says: null,
  },
  {
    file: "api/selling/plans/own-transaction.ts",
    source: "export const add = (context) => context.em.fork().transactional(async (em) => em);",
    says: "A transaction is opened or joined by inTransaction",
  },
  {
    file: "api/selling/plans/checks-for-a-transaction.ts",
    source: "export const add = (em) => em.isInTransaction();",
    says: "A transaction is opened or joined by inTransaction",
  },
  {
    file: "api/selling/plans/begins-other-things.ts",
    source: "export const add = (spool) => spool.begin();",
    says: null,
  },
  { file: "api/platform/transactions.ts", source: "export const run = (em, f) => em.transactional(f);", says: null },
  {
    file: "web/selling/plans/own-date-format.ts",
    source: 'export const format = new Intl.DateTimeFormat("en-AU");',
    says: "Dates are formatted by schema/dates.ts",
  },
  {
    file: "web/ui/own-money-format.ts",
    source: 'export const format = new Intl.NumberFormat("en-AU", { style: "currency", currency: "AUD" });',
    says: "money by schema/money.ts",
  },
  {
    file: "web/pages/public/local-date.ts",
    source: "export const shown = (at: Date) => at.toLocaleDateString();",
    says: "Dates are formatted by schema/dates.ts",
  },
  {
    file: "api/messaging/emails/templates/local-time.ts",
    source: "export const shown = (at: Date) => at.toLocaleString();",
    says: "Dates are formatted by schema/dates.ts",
  },
  {
    file: "web/ui/right-format.ts",
    source: 'import { formatDate } from "#schema/dates.ts";\nexport const shown = (at: Date) => formatDate(at);',
    says: null,
  },
  {
    file: "web/utils/anything.ts",
    source: "export const one = 1;",
    says: "A folder is named after a noun",
  },
  {
    file: "web/app/long.ts",
    source: "export const one = 1;\n" + "// line\n".repeat(320),
    says: "too many lines",
  },
  {
    file: "web/app/logs.ts",
    source: 'console.log("hello");\nexport const one = 1;',
    says: "console",
  },
  {
    file: "api/selling/plans/cycle-a.ts",
    source: 'import { b } from "./cycle-b.ts";\nexport const a = () => b;',
    says: "cycle",
  },
  {
    file: "api/selling/plans/cycle-b.ts",
    source: 'import { a } from "./cycle-a.ts";\nexport const b = () => a;',
    says: "cycle",
  },
];

let folder: string;
let reports: Map<string, string[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "house-rules-"));
  for (const path of ["package.json", "tsconfig.json", "scripts/lint"])
    cpSync(join(repository, path), join(folder, path), { recursive: true });
  // Type-aware rules would need every package next to the fixtures, and none of the tested rules needs types.
  const configuration = readFileSync(join(repository, ".oxlintrc.json"), "utf8").replace(
    '"typeAware": true',
    '"typeAware": false',
  );
  writeFileSync(join(folder, ".oxlintrc.json"), configuration);
  for (const { file, source } of fixtures) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${source}\n`);
  }
  reports = await lint();
}, 30_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lint(): Promise<Map<string, string[]>> {
  const oxlint = join(repository, "node_modules/oxlint/bin/oxlint");
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [oxlint, "--format=json"], { cwd: folder, maxBuffer: 10_000_000 }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; message: string }[] };
  const found = new Map<string, string[]>();
  for (const { filename, message } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), message]);
  return found;
}

describe("house rules", () => {
  test.each(fixtures.filter((fixture) => fixture.says !== null))("reports $file: $says", ({ file, says }) => {
    expect(reports.get(file)?.join("\n") ?? "nothing reported").toContain(says);
  });

  test.each(fixtures.filter((fixture) => fixture.says === null))("accepts $file", ({ file }) => {
    expect(reports.get(file) ?? []).toEqual([]);
  });
});

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { beforeAll, expect, test } from "vitest";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const repository = join(import.meta.dirname, "../..");

interface Fixture {
  readonly file: string;
  readonly source: string;
  /** Part of the expected message, or null if the file must pass. */
  readonly says: string | null;
}

/** Replaces \\n by a new line, and `RESOLVER(Query) body` by a class with such a resolver. */
const toSource = (text: string) =>
  text
    .replaceAll("\\n", "\n")
    .replace(
      /^RESOLVER\((\w+)\) (.*)$/s,
      "export class PlanResolver {\n  @$1(() => [String])\n  async prices(plan, context) {\n    $2\n  }\n}",
    );

const long = {
  file: "web/app/long.ts",
  source: `export const one = 1;\n${"// line\n".repeat(320)}`,
  says: "too many lines",
};

/** A file, its source, and a part of the expected message. Without a message, the file must pass. */
const fixtures: readonly Fixture[] = String.raw`
schema/uses-api.ts | export { readConfig } from "#api/config.ts"; | it imports only yup, @date-fns/tz and schema/
schema/uses-package.ts | import { nanoid } from "nanoid";\nexport const id = nanoid(); | it imports only yup, @date-fns/tz and schema/
api/staff/contacts/casts.ts | import type { ContactValues } from "#schema/contact.ts";\nexport const values = (input: unknown) => input as ContactValues; | Don't cast to the values of a rule
schema/right.ts | import { string } from "yup";\nexport const name = string();
web/site/home/uses-apollo.tsx | import { useQuery } from "@apollo/client/react";\nexport const data = useQuery; | put the operation into web/<area>/<noun>/
web/site/home/uses-table.tsx | export { pages } from "#web/app/pages.tsx"; | web/site/ is below web/app/ and may not import it
web/site/home/uses-mantine.tsx | export { Button } from "@mantine/core"; | Public pages don't load Mantine
web/site/home/formats-moment.tsx | import { formatDate } from "#schema/dates.ts";\nexport const Day = ({ at }: { at: string }) => <b>{at && formatDate(at)}</b>; | Show a moment with <Moment>
web/site/home/formats-before.tsx | import { formatDate } from "#schema/dates.ts";\nexport function Day({ at }: { at: string }) {\n  const day = formatDate(at);\n  return <b>{day}</b>;\n} | Show a moment with <Moment>
web/site/home/own-time.tsx | export const Day = ({ at }: { at: string }) => <time dateTime={at}>{at}</time>; | Show a moment with <Moment>
web/site/home/formats-label.tsx | import { formatDate } from "#schema/dates.ts";\nexport const Day = ({ at }: { at: string }) => <b aria-label={formatDate(at)} />;
api/billing/plans/formats.ts | export const text = (at: Date) => at.toLocaleString("en-AU"); | Dates are formatted by schema/dates.ts
web/ui/heavy-part.tsx | export { Badge } from "@mantine/core";
web/site/home/uses-part.tsx | export { Badge } from "#web/ui/heavy-part.tsx"; | Public pages don't load Mantine
web/site/home/right.tsx | export { Card } from "#web/billing/plans/card.tsx";
web/billing/plans/uses-page.tsx | export { Home } from "#web/site/home/home-page.tsx"; | web/billing/ is below web/site/ and may not import it. Pass it as an argument
web/ui/uses-feature.tsx | export { Card } from "#web/billing/plans/card.tsx"; | web/ui/ is below web/billing/ and may not import it. Move this code to web/billing/
web/billing/plans/uses-api.ts | import type { User } from "#api/people/users/user.entity.ts";\nexport type Row = User; | uses the api only through GraphQL
web/app/uses-node.ts | export { readFileSync } from "node:fs"; | where Node's modules don't exist
api/billing/plans/uses-v1.ts | export { routes } from "#api/v1/routes.ts"; | api/billing/ is below api/v1/ and may not import it.
api/platform/uses-feature.ts | export { signIn } from "#api/access/sessions/sign-in.ts"; | api/platform/ is below api/access/ and may not import it.
api/people/users/uses-licence.ts | export type { Licence } from "#api/licensing/licences/licence.entity.ts"; | let licensing register its part (api/platform/slots.ts)
api/licensing/licences/uses-user.ts | export { User } from "#api/people/users/user.entity.ts";
api/warehouse/shelves/shelf.ts | export { User } from "#api/people/users/user.entity.ts"; | is in no area: put it in people, audit
api/v1/right.ts | export { signIn } from "#api/access/sessions/sign-in.ts";
api/v1/uses-web.ts | export { paths } from "#web/platform/paths.ts"; | may not import the portal or the tests
api/app/health.ts | export { fill } from "#api/dev/demo-data.ts"; | api/dev/ never loads in production
api/server.ts | export { fill } from "#api/dev/demo-data.ts"; | api/dev/ never loads in production
api/app.ts | export const dev = async () => import("#api/dev/register-dev.ts");
api/billing/plans/far.ts | export { hash } from "../auth/password.ts"; | Relative imports stay inside their folder
api/billing/plans/reads-setting.ts | export const level = process.env.LOG_LEVEL ?? ""; | Settings are read in one place
api/config.ts | export const level = process.env.LOG_LEVEL ?? "";
api/billing/plans/new-date.ts | export const at = new Date(); | Time comes from the clock
api/billing/plans/date-now.ts | export const at = Date.now(); | Time comes from the clock
api/billing/plans/date-of.ts | export const at = (ms: number) => new Date(ms);
api/platform/clock.ts | export const at = Date.now();
api/billing/plans/own-loader.ts | import DataLoader from "dataloader";\nexport const loader = DataLoader; | use createLoader or createRelationLoader
api/billing/plans/reads-for-each-row.resolver.ts | RESOLVER(FieldResolver) return context.em.find(Price, { plan: plan.id }); | A field resolver reads other rows through a loader
api/billing/plans/reads-from-the-pool.resolver.ts | RESOLVER(FieldResolver) const { pool } = context;\n    return pool; | A field resolver reads other rows through a loader
api/billing/plans/loads-by-the-library.resolver.ts | RESOLVER(FieldResolver) return plan.prices.loadItems(); | A field resolver reads other rows through a loader
api/billing/plans/uses-a-loader.resolver.ts | RESOLVER(FieldResolver) return loadPrices(context, plan.id);
api/billing/plans/reads-once.resolver.ts | RESOLVER(Query) return context.em.find(Plan, plan);
api/billing/plans/own-transaction.ts | export const add = (context) => context.em.fork().transactional(async (em) => em); | A transaction is opened or joined by inTransaction
api/billing/plans/checks-for-a-transaction.ts | export const add = (em) => em.isInTransaction(); | A transaction is opened or joined by inTransaction
api/billing/plans/begins-other-things.ts | export const add = (spool) => spool.begin();
api/platform/database/database.ts | export const run = (em, f) => em.transactional(f);
web/billing/plans/own-date-format.ts | export const format = new Intl.DateTimeFormat("en-AU"); | Dates are formatted by schema/dates.ts
web/ui/own-money-format.ts | export const format = new Intl.NumberFormat("en-AU", { style: "currency", currency: "AUD" }); | money by schema/money.ts
web/site/home/local-date.ts | export const shown = (at: Date) => at.toLocaleDateString(); | Dates are formatted by schema/dates.ts
api/messaging/emails/templates/local-time.ts | export const shown = (at: Date) => at.toLocaleString(); | Dates are formatted by schema/dates.ts
web/ui/right-format.ts | import { formatDate } from "#schema/dates.ts";\nexport const shown = (at: Date) => formatDate(at);
web/app/untyped-link.ts | const product = { label: "Product", isNear: true };\nexport const main: readonly Link[] = [product]; | annotate this constant, or add "satisfies"
web/ui/untyped-props.tsx | const icon = { size: 17 } as const;\nexport const Star = () => <IconStar {...icon} />; | annotate this constant, or add "satisfies"
web/app/typed-link.ts | const product = { label: "Product" } satisfies Link;\nexport const main: readonly Link[] = [product];
web/utils/anything.ts | export const one = 1; | A folder is named after a noun
web/app/logs.ts | console.log("hello");\nexport const one = 1; | console
api/billing/plans/cycle-a.ts | import { b } from "./cycle-b.ts";\nexport const a = () => b; | cycle
api/billing/plans/cycle-b.ts | import { a } from "./cycle-a.ts";\nexport const b = () => a; | cycle
`
  .trim()
  .split("\n")
  .map((line) => {
    const [file = "", source = "", says = null] = line.split(" | ");
    return { file, source: toSource(source), says };
  })
  .concat(long);

const folder = createTemporaryFolder("house-rules-");
let reports: Map<string, string[]>;

beforeAll(async () => {
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

test("reports every violation with its message, and nothing else", () => {
  const unexpected = fixtures.flatMap(({ file, says }) => {
    const found = reports.get(file)?.join("\n") ?? "";
    return (says === null ? found === "" : found.includes(says)) ? [] : [`${file}: expected ${says}, got ${found}`];
  });
  expect(unexpected).toEqual([]);
});

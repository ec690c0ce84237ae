import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test, afterAll, beforeAll, describe } from "vitest";
import { parse } from "yaml";
import { buildProgram } from "#api/app/commands/program.ts";
import { type MetricsServer, serveMetrics } from "#api/app/metrics-server.ts";
import { settings } from "#api/app/settings.ts";
import { callAddin } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openOwnerPool } from "#tests/support/test-database.ts";

const app = await startTestApp();

describe("the runbook", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  let metrics: MetricsServer;
  let metricsText = "";

  beforeAll(async () => {
    metrics = await serveMetrics(app.services, 0);
    await callAddin(app, "validate", await createLicence(app, await createUser(app)));
    await app.graphql("{ me { id } }");
    await app.services.jobs.runSweeps();
    metricsText = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  }, 60_000);
  afterAll(() => metrics.close());

  /** Splits a command line of the page into words. It uses no escapes and no quotes within quotes. */
  const splitWords = (line: string): string[] =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(#.*$)|([^\s"']+)/g)]
      .filter(([, , , comment]) => comment === undefined)
      .map(([, double, single, , bare]) => double ?? single ?? bare ?? "");

  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text = ""]) => ({
    language,
    text,
  }));
  const inShell = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trim().split("\n"));
  const shellLines = inShell.filter((line) => !/^(\w+\(\) \{|set -a )/.test(line));
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const programs = ["portal", "metrics", "database", "logs"] as const;
  const isCommand = (text: string) => programs.some((name) => text.startsWith(`${name} `));
  const commands = [...new Set([...shellLines, ...spans.filter(isCommand)])].map((line) => splitWords(line));
  const withProgram = (name: string) => commands.filter(([program]) => program === name).map(([, ...words]) => words);

  const readAll = (files: string) => Array.from(globSync(files), (file) => readFileSync(file, "utf8")).join("\n");
  const places = { ADDRESS: "ada@example.com", DIR: "/tmp/x", FILE: "/tmp/x" };
  const others = { DAY: "2026-11-01", MONTH: "2026-11", "ID…": "5a8ff2f1-0c0e-4f4e-9a43-6c1f0d8f2b11" };
  /** Words of the page that a reader replaces, and a value for each. */
  const replaced: Readonly<Record<string, string>> = { ...places, ...others };
  const fill = (words: readonly string[]) => words.map((word) => replaced[word] ?? word);

  test("has commands of every kind, and uses no program that isn't checked here", () => {
    for (const name of programs) expect(withProgram(name).length, name).toBeGreaterThan(4);
    const known = new Set([...programs, "systemctl", "docker", "curl", "pg_isready", "df"]);
    expect(commands.map(([program = ""]) => program).filter((program) => !known.has(program))).toEqual([]);
  });

  describe("portal", () => {
    const host = { serve: async () => {}, loadDevClock: async () => {} };
    const rows = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => splitWords(text)),
    );
    const inTable = rows.filter(([name = ""]) =>
      buildProgram("portal", host).commands.some((one) => one.name() === name),
    );

    test.each([...withProgram("portal"), ...inTable])("accepts %s %s %s %s %s", async (...given) => {
      const words = fill(given.filter((word) => word !== undefined));
      const program = buildProgram("portal", host);
      for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)])
        command
          .exitOverride()
          .configureOutput({ writeErr: () => {} })
          .action(() => {});
      await expect(program.parseAsync(words, { from: "user" })).resolves.toBeTruthy();
    });

    test.each([
      ["doctor"],
      ["doctor", "--json"],
      ["migrate", "--status"],
      ["keys", "list", "--ring", "signing"],
      ["audit", "verify"],
    ])("runs %s %s", { timeout: 60_000 }, async (...words) => {
      const { code, output, errors } = await runCommandOn(app, ...words.filter((word) => word !== undefined));
      expect([code, errors]).toEqual([0, ""]);
      expect(output).not.toBe("");
    });
  });

  test("metrics finds a line for every pattern", () => {
    for (const [pattern = ""] of withProgram("metrics")) {
      // Without work there is no line, but the type is known. Labels of failures have no line while nothing fails.
      const wanted = pattern.replace(/\.?\*?(status|outcome)=".*$/, "");
      expect(metricsText, pattern).toMatch(new RegExp(`^(?:# TYPE )?${wanted.replace(/_(sum|count)$/, "")}`, "m"));
      for (const [, label] of pattern.matchAll(/(\w+)="/g)) expect(metricsText).toContain(`${label}="`);
    }
  });

  test("logs looks for texts that the product logs", () => {
    const sources = readAll("api/**/*.ts");
    for (const [pattern = ""] of withProgram("logs")) {
      if (pattern === '"level":50') continue;
      const [, key, value] = /^"(\w+)":"([\w-]+)"$/.exec(pattern) ?? [];
      if (key) expect(sources, pattern).toContain(`${key}: `);
      expect(sources, pattern).toContain(value ?? pattern);
    }
  });

  test("database runs every statement", async () => {
    const examples = blocks.filter(({ language }) => language === "sql").map(({ text }) => text);
    const statements = [...withProgram("database").map(([statement = ""]) => statement), ...examples];
    const client = await openOwnerPool(app.database).connect();
    try {
      for (const statement of statements) {
        await client.query("begin");
        // The role may have another name here.
        await client.query("do $$ begin create role portal; exception when duplicate_object then end $$");
        await client.query(
          "create table licence_events_2024_11 (like licence_events including defaults including constraints)",
        );
        const runnable = statement
          .replaceAll("PID", "0")
          .replaceAll("'ID'", "gen_random_uuid()")
          .replaceAll("database portal ", `database ${app.database.dbName} `);
        await client.query(runnable).catch((error: Error) => {
          throw new Error(`${runnable}: ${error.message}`);
        });
        await client.query("rollback");
      }
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("curl reads paths that the product serves", async () => {
    const requests = spans.filter((text) => /^(curl|GET) /.test(text));
    const lines = [...withProgram("curl"), ...requests.map((text) => splitWords(text))];
    const paths = lines.map((words) => words.at(-1)?.replace(/^http:\/\/localhost:4000/, "") ?? "");
    expect(paths).toContain("/health/database");
    for (const path of paths) expect((await app.rest("GET", path)).status, path).toBe(200);
  });

  test("systemctl and docker use units and services that exist", () => {
    expect(existsSync("deploy/portal@.service")).toBe(true);
    for (const words of withProgram("systemctl")) expect(words.at(-1)).toMatch(/^portal@/);
    const { services } = parse(readFileSync("deploy/compose.yml", "utf8"), { merge: true }) as { services: object };
    const inFunctions = [...page.matchAll(/docker compose (?:exec|logs|ps|run|stop) (?:--\S+ (?:1h )?)*(\w+)/g)];
    expect(inFunctions.length).toBeGreaterThan(4);
    for (const [line, service] of inFunctions) expect(Object.keys(services), line).toContain(service);
  });

  test("names only settings, files and metrics that exist", () => {
    const names = new Set<string>(settings.map(({ name }) => name));
    const capitals = spans.flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
    expect(capitals.length).toBeGreaterThan(20);
    const scenarios = readAll("tests/operations/**/*.ts");
    const unknown = capitals.filter(
      (name) => !names.has(name) && !name.startsWith("NODE_") && !scenarios.includes(`process.env["${name}"]`),
    );
    expect(unknown).toEqual([]);
    const files = spans.filter((text) => /^(deploy|docs|api)\/[\w./-]+$/.test(text));
    for (const file of files) expect(existsSync(file), file).toBe(true);
    for (const [name] of page.matchAll(/\b(?:portal_(?!owner)|nodejs_)\w+/g))
      expect(metricsText).toContain(name.replace(/_+$/, ""));
  });

  test("has a complete section for each alert, no section for anything else, and no dead link to a section", () => {
    const { groups } = parse(readFileSync("deploy/monitoring/alerts.yml", "utf8")) as {
      groups: { rules: { alert: string; annotations: { runbook: string } }[] }[];
    };
    const rules = groups.flatMap(({ rules: each }) => each);
    const alerts = rules.map(({ alert }) => alert);
    expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
      alerts.map((alert) => `docs/operations.md#${alert.toLowerCase()}`),
    );
    const [, text = ""] = /^## Alerts$([\s\S]*?)^## /m.exec(page) ?? [];
    const sections = text.split(/^### /m).slice(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(alerts);
    for (const section of sections)
      for (const part of ["**Users notice**", "**Look:**", "**Do:**", "**Over when**"]) expect(section).toContain(part);
    const [, firstScreen = ""] = /^## Start here$([\s\S]*?)^## /m.exec(page) ?? [];
    expect(alerts.filter((alert) => !firstScreen.includes(`](#${alert.toLowerCase()})`))).toEqual([]);
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text.toLowerCase().replaceAll(" ", "-"));
    for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(anchor);
  });
});

import { mkdtempSync, rmSync, writeFileSync, existsSync, globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, afterAll, beforeAll, describe } from "vitest";
import { parse } from "yaml";
import { buildProgram } from "#api/app/commands/program.ts";
import { type MetricsServer, serveMetrics } from "#api/app/metrics-server.ts";
import { settings } from "#api/app/settings.ts";
import { createKeySet } from "#api/platform/key-rotation.ts";
import { callAddin } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createUser } from "#tests/factories/user.ts";
import { runCommand, runCommandOn } from "#tests/support/run-command.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { buildDatabaseUrl } from "#tests/support/test-database.ts";

const app = await startTestApp();

describe("doctor", () => {
  interface Report {
    readonly ok: boolean;
    readonly findings: readonly { check: string; state: string; message: string; fix?: string }[];
  }

  const timeout = 60_000;
  const settings = {
    DATABASE_URL: buildDatabaseUrl(app.database),
    DATA_DIR: app.services.config.dataDir,
  };

  async function examine(env: Record<string, string> = {}): Promise<Report & { code: number | null }> {
    const { code, output } = await runCommand(["doctor", "--json"], { ...settings, ...env });
    return { code, ...(JSON.parse(output) as Report) };
  }
  const findFailures = ({ findings }: Report) => findings.filter(({ state }) => state === "failed");

  test("finds nothing wrong with a running product", { timeout }, async () => {
    const report = await examine();
    expect(findFailures(report)).toEqual([]);
    expect([report.code, report.ok]).toEqual([0, true]);
    expect(report.findings.map(({ check }) => check)).toEqual([
      "settings",
      "database version",
      "database writes",
      "database privileges",
      "database clock",
      "database migrations",
      "database partitions",
      "database restore",
      "database outbox",
      "database stored secrets",
      "keys",
      "email",
      "files",
      "payments",
      "disk",
    ]);
  });

  test("names everything that is wrong, each with its fix", { timeout }, async () => {
    const user = await createUser(app);
    await addAuthenticator(app, user);
    const { pool } = app.services;
    const { rows: removed } = await pool.query<{ executed_at: Date }>(
      "delete from mikro_orm_migrations where name = '0083-refunds' returning executed_at",
    );
    const { rows } = await pool.query<{ name: string }>(
      "select 'licence_events_' || to_char((now() at time zone 'UTC') + interval '1 month', 'YYYY_MM') as name",
    );
    await pool.query(`drop table ${rows[0]?.name}`);
    const { rows: mails } = await pool.query<{ id: string }>(
      `insert into mails (id, "to", subject, text, html, created_at, attempts, last_error)
       values (gen_random_uuid(), 'ada@example.com', '', '', '', now() - interval '16 minutes', 3,
               'Mail command failed: 550 <sales@example.com> not owned by user') returning id`,
    );
    const dataDir = mkdtempSync(join(tmpdir(), "portal-doctor-"));
    // Nothing can be stored below a file.
    writeFileSync(join(dataDir, "files"), "");
    const smtp = await startSmtpServer({ refuseSender: "550 5.7.1 sender not owned by user" });
    const report = await examine({
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
      SMTP_URL: smtp.url,
      STRIPE_SECRET_KEY: "sk_test_0",
      STRIPE_PUBLISHABLE_KEY: "pk_test_0",
      STRIPE_WEBHOOK_SECRET: "whsec_0",
      STRIPE_API_URL: "http://127.0.0.1:9",
    });
    await smtp.close();
    rmSync(dataDir, { recursive: true });
    // Later tests use the same database.
    await pool.query("insert into mikro_orm_migrations (name, executed_at) values ('0083-refunds', $1)", [
      removed[0]?.executed_at,
    ]);
    await pool.query("delete from mails where id = $1", [mails[0]?.id]);
    await app.services.jobs.runSweeps();
    expect(report.code).toBe(1);
    const findings = Object.fromEntries(
      report.findings
        .filter(({ state }) => state !== "ok")
        .map(({ check, state, message, fix }) => [check, `${state}: ${message} ${fix}`]),
    );
    expect(findings).toEqual({
      "database migrations": expect.stringContaining("0083-refunds. Run: migrate"),
      "database partitions": expect.stringContaining("for the next month is missing. Start a server."),
      "database outbox": expect.stringMatching(/^warning: 1 emails have waited .*: Mail command failed: 550 \(address\)/),
      "database stored secrets": expect.stringContaining("Add them to ENCRYPTION_KEYS"),
      email: expect.stringMatching(/^failed: .*sender not owned by user.* allow the sender of BRAND_FILE/),
      files: expect.stringContaining("Make DATA_DIR writable"),
      payments: expect.stringContaining("Correct STRIPE_SECRET_KEY."),
    });
  });

  test("explains an unreachable database, and checks the rest", { timeout }, async () => {
    const report = await examine({ DATABASE_URL: "postgres://portal:secret@127.0.0.1:9/portal" });
    expect(findFailures(report)).toEqual([
      expect.objectContaining({ check: "database", fix: "Correct DATABASE_URL, or start the database." }),
    ]);
    expect(JSON.stringify(report)).not.toContain("secret");
  });

  test("lists the settings that production needs", { timeout }, async () => {
    const { code, output } = await runCommand(["doctor"], { NODE_ENV: "production", DATABASE_URL: "", BRAND_FILE: "" });
    expect(code).toBe(1);
    for (const name of ["DATABASE_URL", "PUBLIC_URL", "SMTP_URL", "SIGNING_KEYS", "BRAND_FILE"])
      expect(output).toContain(`→ Set ${name} in the environment of the process.`);
  });
});

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
  function splitWords(line: string): string[] {
    return [...line.matchAll(/"([^"]*)"|'([^']*)'|(#.*$)|([^\s"']+)/g)]
      .filter(([, , , comment]) => comment === undefined)
      .map(([, double, single, , bare]) => double ?? single ?? bare ?? "");
  }

  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text = ""]) => ({
    language,
    text,
  }));
  const shellLines = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.trim().split("\n"))
    .filter((line) => !/^(\w+\(\) \{|set -a )/.test(line));
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const programs = ["portal", "metrics", "database", "logs"] as const;
  const isCommand = (text: string) => programs.some((name) => text.startsWith(`${name} `));
  const commands = [...new Set([...shellLines, ...spans.filter(isCommand)])].map((line) => splitWords(line));
  const withProgram = (name: string) => commands.filter(([program]) => program === name).map(([, ...words]) => words);

  /** Words of the page that a reader replaces, and a value for each. */
  const replaced: Readonly<Record<string, string>> = {
    ADDRESS: "ada@example.com",
    DIR: "/tmp/x",
    FILE: "/tmp/x",
    DAY: "2026-11-01",
  };
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
    const sources = globSync("api/**/*.ts")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    for (const [pattern = ""] of withProgram("logs")) {
      if (pattern === '"level":50') continue;
      const [, key, value] = /^"(\w+)":"([\w-]+)"$/.exec(pattern) ?? [];
      if (key) expect(sources, pattern).toContain(`${key}: `);
      expect(sources, pattern).toContain(value ?? pattern);
    }
  });

  test("database runs every statement", async () => {
    const statements = [
      ...withProgram("database").map(([statement = ""]) => statement),
      ...blocks.filter(({ language }) => language === "sql").map(({ text }) => text),
    ];
    const client = await app.services.pool.connect();
    try {
      for (const statement of statements) {
        await client.query("begin");
        await client.query(
          "create table licence_events_2024_11 (like licence_events including defaults including constraints)",
        );
        const runnable = statement.replaceAll("PID", "0").replaceAll("'ID'", "gen_random_uuid()");
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
    const lines = [
      ...withProgram("curl"),
      ...spans.filter((text) => /^(curl|GET) /.test(text)).map((text) => splitWords(text)),
    ];
    const paths = lines.map((words) => words.at(-1)?.replace(/^http:\/\/localhost:4000/, "") ?? "");
    expect(paths).toContain("/health/database");
    for (const path of paths) expect((await app.rest("GET", path)).status, path).toBe(200);
  });

  test("systemctl and docker use units and services that exist", () => {
    expect(existsSync("deploy/portal@.service")).toBe(true);
    for (const words of withProgram("systemctl")) expect(words.at(-1)).toMatch(/^portal@/);
    const { services } = parse(readFileSync("deploy/compose.yml", "utf8"), { merge: true }) as { services: object };
    const inFunctions = [...page.matchAll(/docker compose (?:exec|logs|ps) (?:--\S+ (?:1h )?)*(\w+)/g)];
    expect(inFunctions.length).toBeGreaterThan(4);
    for (const [line, service] of inFunctions) expect(Object.keys(services), line).toContain(service);
  });

  test("names only settings, files and metrics that exist", () => {
    const names = new Set<string>(settings.map(({ name }) => name));
    const capitals = spans.flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
    expect(capitals.length).toBeGreaterThan(20);
    const scenarios = globSync("tests/operations/**/*.ts")
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    const unknown = capitals.filter((name) => !names.has(name) && !scenarios.includes(`process.env["${name}"]`));
    expect(unknown).toEqual([]);
    const files = spans.filter((text) => /^(deploy|docs|api)\/[\w./-]+$/.test(text));
    for (const file of files) expect(existsSync(file), file).toBe(true);
    for (const [name] of page.matchAll(/\b(?:portal|nodejs)_\w+/g))
      expect(metricsText).toContain(name.replace(/_+$/, ""));
  });

  test("has a complete section for each alert, and no section for anything else", () => {
    const { groups } = parse(readFileSync("deploy/monitoring/alerts.yml", "utf8")) as {
      groups: { rules: { alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const [, text = ""] = /^## Alerts$([\s\S]*?)^## /m.exec(page) ?? [];
    const sections = text.split(/^### /m).slice(1);
    expect(sections.map((section) => section.split("\n")[0])).toEqual(alerts);
    for (const section of sections)
      for (const part of ["**Users notice**", "**Look:**", "**Do:**", "**Over when**"]) expect(section).toContain(part);
    const [, firstScreen = ""] = /^## Start here$([\s\S]*?)^## /m.exec(page) ?? [];
    expect(alerts.filter((alert) => !firstScreen.includes(`](#${alert.toLowerCase()})`))).toEqual([]);
  });

  test("has no link to a section that doesn't exist", () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => text.toLowerCase().replaceAll(" ", "-"));
    for (const [, anchor] of page.matchAll(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(anchor);
  });
});

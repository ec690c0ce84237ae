import { execFileSync, spawn, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { backgroundWork } from "#api/app/background-work.ts";
import { readConfig } from "#api/config.ts";
import { keys, names, read } from "./deployment-files.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

/** Parses the lines NAME=value of an environment file, including commented ones. */
function readNames(text: string): string[] {
  return [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);
}

const { services, volumes } = parse(read("compose.yml"), { merge: true }) as {
  services: Record<
    string,
    { environment?: Record<string, string>; volumes?: string[]; image?: string; profiles?: string[] }
  >;
  volumes: Record<string, unknown>;
};
const variables = Object.fromEntries(readNames(read(".env.example")).map((name) => [name, "secret0"]));
const fill = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, fallback: string) => {
    const value = variables[name] ?? (kind === "-" ? fallback : undefined);
    if (value === undefined) throw new Error(`.env.example lacks ${name}.`);
    return value;
  });

test.each(["portal", "migrate"])("gives %s settings that production accepts", (name) => {
  const environment = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, fill(value)]);
  const env = { ...Object.fromEntries(environment), ...keys, BRAND_FILE: "brand.example.json" };
  const config = readConfig(env as Record<string, string>);
  expect(config).toMatchObject({ production: true, stripe: null, operations: { migratesManually: true } });
  for (const setting of Object.keys(services[name]?.environment ?? {})) expect(names).toContain(setting);
});

test("uses only variables that .env.example lists, and images of an exact version", () => {
  expect(() => fill(read("compose.yml").replaceAll("%f", ""))).not.toThrow();
  const exactTag = /:v?\d+\.\d+(\.\d+)?(-alpine)?$/;
  for (const { image = "" } of Object.values(services))
    expect(image).toMatch(image.startsWith("${PORTAL_IMAGE") ? /:-portal\}$/ : exactTag);
});

test("compose.yml keeps the database's superuser from the portal", () => {
  expect(services.database?.environment).not.toHaveProperty("POSTGRES_USER");
  expect(read("create-role.sh")).toContain("create role portal login createdb password");
});

test("archives each segment of the write-ahead log once, compressed, and deletes old ones", () => {
  const folder = createTemporaryFolder("archive-");
  const setting = (services.database as { command?: string[] } | undefined)?.command?.at(-1) ?? "";
  const archive = (name: string, content: string) => {
    writeFileSync(join(folder, "segment"), content);
    const command = setting.replace("archive_command=", "").replaceAll("/archive/wal", folder).replaceAll("%f", name);
    return spawnSync("sh", ["-c", command.replaceAll("%p", join(folder, "segment"))]).status;
  };
  writeFileSync(join(folder, "old.gz"), "");
  utimesSync(join(folder, "old.gz"), 0, 0);
  expect(archive("1", "first")).toBe(0);
  // PostgreSQL repeats the command if it crashed before it noted the success.
  expect(archive("1", "first")).toBe(0);
  expect(archive("1", "of another server")).not.toBe(0);
  expect(gunzipSync(readFileSync(join(folder, "1.gz"))).toString()).toBe("first");
  expect(readdirSync(folder).toSorted()).toEqual(["1.gz", "segment"]);
});

test("backs up every day, and again after ten minutes if that failed", () => {
  const folder = createTemporaryFolder("backup-loop-");
  const [shell = "", ...args] = (services.backup as { command?: string[] } | undefined)?.command ?? [];
  // The first backup fails, and the loop ends with the second pause.
  const programs = {
    node: "mkdir failed-once 2> /dev/null && exit 1; exit 0",
    sleep: 'echo "$1"; if [ "$1" = 86400 ]; then kill $PPID; fi',
  };
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { stdout } = spawnSync(shell, args, {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
    encoding: "utf8",
    timeout: 10_000,
  });
  expect(stdout.split("\n").filter(Boolean)).toEqual(["600", "86400"]);
});

test("stores files in a volume that all processes and the backup share, with a read-only file system and no capabilities", () => {
  // The images of MinIO are no longer published.
  expect(read("compose.yml")).not.toMatch(/minio|FILES_/i);
  for (const name of ["portal", "migrate", "backup"]) {
    expect(services[name]?.environment?.DATA_DIR).toBe("/data");
    expect(services[name]?.volumes).toEqual(expect.arrayContaining(["portal-data:/data", "backups:/backups"]));
    expect(services[name]).toMatchObject({ read_only: true, tmpfs: "/tmp", cap_drop: ["ALL"] });
  }
});

test("mounts only files and volumes that exist", () => {
  for (const { volumes: mounts = [] } of Object.values(services))
    for (const mount of mounts) {
      const [source = ""] = mount.split(":");
      if (!source.startsWith("./")) expect(volumes).toHaveProperty(source);
      else if (source !== "./brand.json") expect(existsSync(join("deploy", source)), source).toBe(true);
    }
});

test("compose.yml starts Prometheus, Alertmanager and Grafana only in the profile monitoring, and alerts reach an address", () => {
  const monitoring = ["prometheus", "alertmanager", "grafana"];
  expect(Object.keys(services).filter((name) => services[name]?.profiles)).toEqual(monitoring);
  const { alerting } = parse(read("monitoring/prometheus.compose.yml")) as { alerting: object };
  expect(JSON.stringify(alerting)).toContain("alertmanager:9093");
  const { receivers } = parse(read("monitoring/alertmanager.yml")) as { receivers: object[] };
  expect(receivers).toMatchObject([{ email_configs: [{ to: "ALERT_EMAIL" }] }]);
});

test("alerts about requests don't count the probes of load balancers, which fail at each restart", () => {
  const selectors = read("monitoring/alerts.yml").match(/portal_http_request_duration_seconds_\w+(\{[^}]*\})?/g) ?? [];
  expect(selectors).toHaveLength(3);
  for (const selector of selectors) expect(selector).toContain('route!~"/health/.*"');
});

test("FailingSweeps fires for each sweep whose runs all fail, however seldom it runs", () => {
  const { groups } = parse(read("monitoring/alerts.yml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const { expr = "" } = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === "FailingSweeps") ?? {};
  const found = expr.matchAll(/outcome="failed"\}\[(\d+)([mh])\]\)\) > (\d+)/g);
  const limits = Array.from(found, ([, time, unit, failures]) => ({
    seconds: Number(time) * (unit === "h" ? 3_600 : 60),
    failures: Number(failures),
  }));
  expect(limits).toHaveLength(2);
  const silent = backgroundWork.sweeps.filter(({ everySeconds }) =>
    limits.every(({ seconds, failures }) => Math.floor(seconds / everySeconds) <= failures),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("deploy/portal.env.example lists only known settings", () => {
  for (const name of readNames(read("portal.env.example"))) expect(names).toContain(name);
});

test.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
  "make-certificates.sh writes certificates of one authority, once",
  () => {
    const folder = createTemporaryFolder("certificates-");
    const make = () =>
      execFileSync("sh", ["deploy/make-certificates.sh", folder, "database", "smtp"], { stdio: "pipe" });
    make();
    const certificate = (name: string) => new X509Certificate(readFileSync(join(folder, name)));
    const authority = certificate("ca.crt");
    for (const name of ["database", "smtp"]) {
      expect(certificate(`${name}.crt`).verify(authority.publicKey)).toBe(true);
      expect(certificate(`${name}.crt`).checkHost(name)).toBe(name);
    }
    make();
    expect(certificate("ca.crt").fingerprint).toBe(authority.fingerprint);
  },
);

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd accepts the unit", () => {
  const { stderr } = spawnSync("systemd-analyze", ["verify", "deploy/portal@.service"], { encoding: "utf8" });
  // The program is only on the server.
  expect(stderr.split("\n").filter((line) => line && !line.includes("is not executable"))).toEqual([]);
});

test.skipIf(process.platform !== "linux")("the unit reloads workers, and leaves a single process alone", async () => {
  const [, reload = ""] = /^ExecReload=\/bin\/sh -c '(.*)'$/m.exec(read("portal@.service")) ?? [];
  for (const [args, status, signal] of [
    [["serve"], 1, "SIGTERM"],
    [["serve", "--workers", "2"], 0, "SIGHUP"],
  ] as const) {
    const server = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)", "--", ...args]);
    await once(server, "spawn");
    const ended = once(server, "exit");
    const env = { PATH: process.env.PATH ?? "", MAINPID: String(server.pid) };
    expect(spawnSync("sh", ["-c", reload], { env }).status).toBe(status);
    server.kill("SIGTERM");
    expect(await ended).toEqual([null, signal]);
  }
});

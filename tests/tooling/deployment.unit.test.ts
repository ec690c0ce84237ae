import { execFileSync, spawn, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { settings } from "#api/app/settings.ts";
import { readConfig } from "#api/config.ts";
import { createKeySet } from "#api/platform/keys/key-rotation.ts";
import { renderHelm } from "./helm-template.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const read = (file: string) => readFileSync(join("deploy", file), "utf8");
const names = new Set<string>([...settings.map(({ name }) => name), "NODE_EXTRA_CA_CERTS"]);
const keys = {
  SIGNING_KEYS: JSON.stringify(createKeySet("signing")),
  ENCRYPTION_KEYS: JSON.stringify(createKeySet("encryption")),
  RELEASE_KEYS: JSON.stringify(createKeySet("release")),
};

/** Parses the lines NAME=value of an environment file, including commented ones. */
function readNames(text: string): string[] {
  return [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);
}

describe("deploy/compose.yml", () => {
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

  test("keeps the database's superuser from the portal", () => {
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

  test("stores files in a volume that all processes and the backup share", () => {
    // The images of MinIO are no longer published.
    expect(read("compose.yml")).not.toMatch(/minio|FILES_/i);
    for (const name of ["portal", "migrate", "backup"]) {
      expect(services[name]?.environment?.DATA_DIR).toBe("/data");
      expect(services[name]?.volumes).toEqual(expect.arrayContaining(["portal-data:/data", "backups:/backups"]));
    }
  });

  test("gives the portal a read-only file system and no capabilities", () => {
    for (const name of ["portal", "migrate", "backup"])
      expect(services[name]).toMatchObject({ read_only: true, tmpfs: "/tmp", cap_drop: ["ALL"] });
  });

  test("mounts only files and volumes that exist", () => {
    for (const { volumes: mounts = [] } of Object.values(services))
      for (const mount of mounts) {
        const [source = ""] = mount.split(":");
        if (!source.startsWith("./")) expect(volumes).toHaveProperty(source);
        else if (source !== "./brand.json") expect(existsSync(join("deploy", source)), source).toBe(true);
      }
  });

  test("starts Prometheus, Alertmanager and Grafana only in the profile monitoring, and alerts reach an address", () => {
    const monitoring = ["prometheus", "alertmanager", "grafana"];
    expect(Object.keys(services).filter((name) => services[name]?.profiles)).toEqual(monitoring);
    const { alerting } = parse(read("monitoring/prometheus.compose.yml")) as { alerting: object };
    expect(JSON.stringify(alerting)).toContain("alertmanager:9093");
    const { receivers } = parse(read("monitoring/alertmanager.yml")) as { receivers: object[] };
    expect(receivers).toMatchObject([{ email_configs: [{ to: "ALERT_EMAIL" }] }]);
  });
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

describe("the Helm chart", () => {
  const folder = "helm/templates";
  const templates = readdirSync(join("deploy", folder)).map((file) => read(`${folder}/${file}`));
  const values = parse(read("helm/values.yaml")) as Record<string, unknown>;
  const chart = parse(read("helm/Chart.yaml")) as { version: string; appVersion: string };
  const brand = JSON.parse(readFileSync("brand.example.json", "utf8")) as object;
  const render = (changes: object = {}) =>
    renderHelm(templates, {
      Values: { ...values, brand, ...changes },
      Chart: { AppVersion: chart.appVersion },
      Release: { Name: "acme" },
      Files: (path: string) => read(`helm/${path}`),
    })
      .flatMap((text) => parseAllDocuments(text))
      .map((document) => {
        expect(document.errors).toEqual([]);
        // oxlint-disable-next-line typescript/no-explicit-any -- manifests have every shape
        return document.toJS() as any;
      })
      .filter(Boolean);
  const find = (kind: string, name = "acme") => {
    const found = render().find((one) => one.kind === kind && one.metadata.name === name);
    expect(found, `${kind} ${name}`).toBeTruthy();
    return found;
  };

  test("starts the image of the product's version, which a release sets", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(chart).toMatchObject({ version, appVersion: version });
    expect(readFileSync("scripts/release.ts", "utf8")).toContain("deploy/helm/Chart.yaml");
  });

  test("renders every object with a name, a version and labels", () => {
    const objects = render({ monitoring: { enabled: true } });
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(
      new Set([
        "ConfigMap",
        "CronJob",
        "Deployment",
        "Ingress",
        "Job",
        "PersistentVolumeClaim",
        "PodDisruptionBudget",
        "PrometheusRule",
        "Service",
        "ServiceMonitor",
      ]),
    );
    for (const { apiVersion, metadata } of objects) {
      expect(apiVersion).toMatch(/^[\w./]+$/);
      expect(metadata.labels).toEqual({ "app.kubernetes.io/name": "portal", "app.kubernetes.io/instance": "acme" });
    }
  });

  test("gives the processes settings that production accepts", () => {
    const { data } = find("ConfigMap");
    for (const name of Object.keys(data)) expect(names).toContain(name);
    const secret = {
      ...keys,
      DATABASE_URL: "postgres://u:p@db/portal?sslmode=verify-full",
      SMTP_URL: "smtps://u:p@mail",
    };
    expect(readConfig({ ...data, ...secret, BRAND_FILE: "brand.example.json" }).production).toBe(true);
    expect(JSON.parse(find("ConfigMap", "acme-brand").data["brand.json"])).toEqual(brand);
  });

  test("probes, limits and drains the processes, and selects them everywhere", () => {
    const { spec } = find("Deployment");
    const [container] = spec.template.spec.containers;
    expect(container.livenessProbe.httpGet.path).toBe("/health/live");
    expect(container.readinessProbe.httpGet.path).toBe("/health/ready");
    expect(container.resources.limits).toEqual((values.resources as { limits: object }).limits);
    expect(container.image).toBe(`ghcr.io/OWNER/REPOSITORY:${chart.appVersion}`);
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(30);
    for (const selector of [spec.selector.matchLabels, find("Service").spec.selector])
      expect(spec.template.metadata.labels).toMatchObject(selector);
    expect(find("PodDisruptionBudget").spec.selector.matchLabels).toEqual(spec.selector.matchLabels);
  });

  test("migrates in a job before the processes are replaced", () => {
    const { metadata, spec } = find("Job", "acme-migrate");
    expect(metadata.annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    expect(spec.template.spec.containers[0].command).toEqual(["node", "dist/server/server.js", "migrate"]);
    expect(find("ConfigMap").data.MIGRATE).toBe("manual");
  });

  test("gives the owner of the audit tables to the migration alone", () => {
    const pods = render().flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);
    const withOwner = pods.filter((pod) => JSON.stringify(pod).includes(String(values.ownerSecret)));
    expect(withOwner.map(({ containers }) => containers[0].name)).toEqual(["migrate"]);
    expect(read("helm/values.yaml")).toMatch(/^# Secret with DATABASE_OWNER_URL,.*\nownerSecret: portal-owner$/m);
  });

  test("passes the restricted Pod Security profile", () => {
    const pods = render().flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);
    expect(pods).toHaveLength(3);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      for (const container of containers)
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
    }
  });

  test("restores the settings on a rollback, and backs up to a volume that stays", () => {
    for (const name of ["acme", "acme-brand"])
      expect(find("ConfigMap", name).metadata.annotations["helm.sh/hook"]).toContain("pre-rollback");
    const { spec } = find("CronJob", "acme-backup").spec.jobTemplate.spec.template;
    expect(spec.containers[0].command.slice(2)).toEqual(["backup", "--to", "/backups", "--keep", "7"]);
    expect(spec.volumes).toContainEqual({ name: "backups", persistentVolumeClaim: { claimName: "acme-backups" } });
    expect(find("PersistentVolumeClaim", "acme-backups").metadata.annotations).toEqual({
      "helm.sh/resource-policy": "keep",
    });
  });

  test("gives the Prometheus operator the alert rules and every process", () => {
    const objects = render({ monitoring: { enabled: true } });
    const rules = objects.find(({ kind }) => kind === "PrometheusRule");
    expect(rules.spec).toEqual(parse(read("monitoring/alerts.yml")));
    const service = objects.find(({ metadata }) => metadata.name === "acme-metrics");
    expect(service.metadata.labels).toMatchObject(
      objects.find(({ kind }) => kind === "ServiceMonitor").spec.selector.matchLabels,
    );
    expect(service.spec.ports).toMatchObject([{ name: "metrics" }]);
  });

  test("leaves out the ingress if it is off", () => {
    expect(render({ ingress: { enabled: false } }).map(({ kind }) => kind)).not.toContain("Ingress");
  });
});

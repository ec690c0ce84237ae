import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "#api/config.ts";
import { keys, names, read } from "./deployment-files.ts";
import { renderHelm } from "./helm-template.ts";

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

test("the Helm chart starts the image of the product's version, which a release sets", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(chart).toMatchObject({ version, appVersion: version });
  expect(readFileSync("scripts/release.ts", "utf8")).toContain("deploy/helm/Chart.yaml");
});

test("the Helm chart renders every object with a name, a version and labels", () => {
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

test("the Helm chart gives the processes settings that production accepts", () => {
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

test("the Helm chart probes, limits and drains the processes, and selects them everywhere", () => {
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

test("the Helm chart migrates in a job before the processes are replaced", () => {
  const { metadata, spec } = find("Job", "acme-migrate");
  expect(metadata.annotations["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
  expect(spec.template.spec.containers[0].command).toEqual(["node", "dist/server/server.js", "migrate"]);
  expect(find("ConfigMap").data.MIGRATE).toBe("manual");
});

test("the Helm chart gives the owner of the audit tables to the migration alone", () => {
  const pods = render().flatMap(({ spec }) => spec?.template?.spec ?? spec?.jobTemplate?.spec.template.spec ?? []);
  const withOwner = pods.filter((pod) => JSON.stringify(pod).includes(String(values.ownerSecret)));
  expect(withOwner.map(({ containers }) => containers[0].name)).toEqual(["migrate"]);
  expect(read("helm/values.yaml")).toMatch(/^# Secret with DATABASE_OWNER_URL,.*\nownerSecret: portal-owner$/m);
});

test("the Helm chart passes the restricted Pod Security profile", () => {
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

test("the Helm chart restores the settings on a rollback, and backs up to a volume that stays", () => {
  for (const name of ["acme", "acme-brand"])
    expect(find("ConfigMap", name).metadata.annotations["helm.sh/hook"]).toContain("pre-rollback");
  const { spec } = find("CronJob", "acme-backup").spec.jobTemplate.spec.template;
  expect(spec.containers[0].command.slice(2)).toEqual(["backup", "--to", "/backups", "--keep", "7"]);
  expect(spec.volumes).toContainEqual({ name: "backups", persistentVolumeClaim: { claimName: "acme-backups" } });
  expect(find("PersistentVolumeClaim", "acme-backups").metadata.annotations).toEqual({
    "helm.sh/resource-policy": "keep",
  });
});

test("the Helm chart has the CronJob and the secret from which the runbook makes a pod for commands", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  const [container] = find("CronJob", "acme-backup").spec.jobTemplate.spec.template.spec.containers;
  expect(container.volumeMounts).toContainEqual({ name: "backups", mountPath: "/backups" });
  expect(page).toContain("--from=cronjob/portal-backup");
  expect(page).toContain(`.envFrom += [{secretRef: {name: "${String(values.ownerSecret)}"}}]`);
});

test("the Helm chart gives the Prometheus operator the alert rules and every process", () => {
  const objects = render({ monitoring: { enabled: true } });
  const rules = objects.find(({ kind }) => kind === "PrometheusRule");
  expect(rules.spec).toEqual(parse(read("monitoring/alerts.yml")));
  const service = objects.find(({ metadata }) => metadata.name === "acme-metrics");
  expect(service.metadata.labels).toMatchObject(
    objects.find(({ kind }) => kind === "ServiceMonitor").spec.selector.matchLabels,
  );
  expect(service.spec.ports).toMatchObject([{ name: "metrics" }]);
});

test("the Helm chart leaves out the ingress if it is off", () => {
  expect(render({ ingress: { enabled: false } }).map(({ kind }) => kind)).not.toContain("Ingress");
});

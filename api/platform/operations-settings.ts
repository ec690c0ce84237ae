import { databaseUrlExample, isDatabaseUrl } from "./database/database-hosts.ts";

/** Settings for running the product in production: the database's further addresses, draining, metrics and traces. */
export interface OperationsConfig {
  /** Connection in session mode for migrations and advisory locks; null if `DATABASE_URL` is such a connection. */
  readonly directUrl: string | null;
  /** Connection of the role that migrates and owns the audit tables; null if it is the role of `DATABASE_URL`. */
  readonly ownerUrl: string | null;
  /** Read-only replica for reports, the dashboard and lists that tolerate lag; null to read from the primary. */
  readonly replicaUrl: string | null;
  /** Maximum number of database connections of one process. */
  readonly poolSize: number;
  /** True if `serve` doesn't migrate and refuses to start on a schema that is behind. */
  readonly migratesManually: boolean;
  /** Seconds in which a stopping process still serves requests while `/health/ready` answers 503. */
  readonly drainSeconds: number;
  /** Port of the Prometheus metrics; null for none. */
  readonly metricsPort: number | null;
  /** URL that receives traces over OTLP/HTTP; null for none. */
  readonly tracesUrl: string | null;
  /** URL of `release.json` of the newest release, which `doctor` and the Status page compare; null to look for none. */
  readonly updatesUrl: string | null;
  /** Selectors of the DKIM keys that the SMTP server signs with; empty if they aren't checked. */
  readonly dkimSelectors: readonly string[];
}

/** Database connections of a process without `DATABASE_POOL_SIZE`. */
export const DEFAULT_POOL_SIZE = 10;

/** The settings of a process whose environment sets none of them, outside production. */
export const defaultOperations: OperationsConfig = {
  directUrl: null,
  ownerUrl: null,
  replicaUrl: null,
  poolSize: DEFAULT_POOL_SIZE,
  migratesManually: false,
  drainSeconds: 0,
  metricsPort: null,
  tracesUrl: null,
  updatesUrl: null,
  dkimSelectors: [],
};

/** Seconds for which a load balancer may still send requests to a stopping process. */
const DRAIN_SECONDS = 5;

/** Returns whether a text is a URL with one of the protocols, such as `https:`. */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** Returns a function that reads a setting with a few values. It adds a sentence to `faults` for any other value. */
export function createChoice(given: (name: string) => string | null, faults: string[]) {
  return <Value extends string>(name: string, values: readonly Value[], unset: Value): Value => {
    const text = given(name) ?? unset;
    const chosen = values.find((value) => value === text);
    if (!chosen) faults.push(`${name} must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}.`);
    return chosen ?? unset;
  };
}

/**
 * Reads the settings and adds a sentence to `faults` for each invalid one.
 * @param given returns a setting; null if it isn't set
 */
export function readOperations(
  given: (name: string) => string | null,
  { production, port }: { production: boolean; port: number },
  faults: string[],
): OperationsConfig {
  const readNumber = (name: string, [least, most]: readonly [number, number], unset: number): number => {
    const text = given(name);
    if (text === null) return unset;
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      faults.push(`${name} must be a number from ${least} to ${most}.`);
    return number;
  };
  const readUrl = (name: string, isValid: (text: string) => boolean, example: string): string | null => {
    const url = given(name);
    if (url && !isValid(url)) faults.push(`${name} must look like ${example}.`);
    return url;
  };
  const isHttp = (text: string) => isUrl(text, ["http:", "https:"]);
  const metricsPort = given("METRICS_PORT") === null ? null : readNumber("METRICS_PORT", [0, 65_535], 0);
  if (metricsPort !== null && metricsPort !== 0 && metricsPort === port)
    faults.push("METRICS_PORT must be another port than PORT.");
  const migrate = createChoice(given, faults)("MIGRATE", ["auto", "manual"], "auto");
  const readDatabase = (name: string) => readUrl(name, isDatabaseUrl, databaseUrlExample);
  const directUrl = readDatabase("DATABASE_DIRECT_URL");
  const ownerUrl = readDatabase("DATABASE_OWNER_URL");
  const replicaUrl = readDatabase("DATABASE_REPLICA_URL");
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_OWNER_URL", "DATABASE_REPLICA_URL"])
    if (given(name) && !given("DATABASE_URL")) faults.push(`${name} needs DATABASE_URL.`);
  const dkimSelectors = (given("DKIM_SELECTORS") ?? "")
    .split(",")
    .map((selector) => selector.trim())
    .filter(Boolean);
  if (!dkimSelectors.every((selector) => /^[a-z\d]([a-z\d._-]{0,61}[a-z\d])?$/i.test(selector)))
    faults.push("DKIM_SELECTORS must list selectors, such as s1,s2.");
  return {
    directUrl: directUrl === given("DATABASE_URL") ? null : directUrl,
    ownerUrl: ownerUrl === given("DATABASE_URL") ? null : ownerUrl,
    replicaUrl,
    poolSize: readNumber("DATABASE_POOL_SIZE", [2, 1_000], DEFAULT_POOL_SIZE),
    migratesManually: migrate === "manual",
    drainSeconds: readNumber("DRAIN_SECONDS", [0, 300], production ? DRAIN_SECONDS : 0),
    metricsPort,
    tracesUrl: readUrl("OTEL_EXPORTER_OTLP_ENDPOINT", isHttp, "http://collector:4318"),
    updatesUrl: readUrl(
      "UPDATES_URL",
      production ? (text) => isUrl(text, ["https:"]) : isHttp,
      "https://example.com/portal/release.json",
    ),
    dkimSelectors,
  };
}

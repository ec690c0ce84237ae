/** Descriptions of all settings by name, each after its default if it has one. */
const described = {
  NODE_ENV: [
    "production",
    "`production` refuses unsafe defaults and doesn't serve /dev; `npm start` and `npm run dev` use `development`",
  ],
  PORT: ["4000", "port of the portal, /graphql, /v1, /software and /health"],
  HOST: "address to listen on; unset: 0.0.0.0 in production, otherwise 127.0.0.1",
  PUBLIC_URL: ["http://localhost:$PORT", "URL of the portal in emails and links"],
  DATABASE_URL: "URL of a PostgreSQL server, or of several with target_session_attrs; unset: embedded database",
  DATABASE_DIRECT_URL:
    "connection in session mode for migrations and advisory locks, where DATABASE_URL is a pooler in transaction mode; unset: DATABASE_URL",
  DATABASE_OWNER_URL:
    "connection in session mode of the role that migrates and owns the audit tables, so that the role of DATABASE_URL can only add to them; only `migrate` and `restore` need it if MIGRATE is manual; unset: DATABASE_URL",
  DATABASE_REPLICA_URL: "read-only replica for reports, the dashboard and lists that tolerate lag; unset: none",
  DATABASE_POOL_SIZE: ["10", "database connections of one process"],
  MIGRATE: ["auto", "`manual`: serve refuses to start on a schema that is behind, and names the command"],
  DRAIN_SECONDS: [
    "0",
    "seconds after SIGTERM in which /health/ready answers 503 while requests are still served; production: 5",
  ],
  METRICS_PORT: "port of the Prometheus metrics at /metrics; unset: off",
  OTEL_EXPORTER_OTLP_ENDPOINT: "URL that receives traces over OTLP/HTTP, such as http://localhost:4318; unset: off",
  DATA_DIR: [".data", "folder of the embedded database, uploads and generated keys"],
  FILES_URL:
    "S3-compatible bucket for uploads: s3://bucket?region=… or https://key:secret@host/bucket; unset: DATA_DIR/files",
  SMTP_URL: "SMTP server for outgoing email; unset: dev mailbox",
  MAIL_FROM: "sender of all emails, such as Portal <no-reply@example.com>; unset: no-reply at the brand's domain",
  DKIM_SELECTORS:
    "selectors of the DKIM keys of your SMTP provider, separated by commas, such as s1,s2, for `doctor` to check",
  BRAND_FILE:
    "JSON file with the vendor's name, mailboxes, seller, bank account and time zone, as in brand.example.json; required in production; unset: the built-in brand",
  SIGNING_KEYS: "ES256 private keys as a JWK set; unset: generated in DATA_DIR",
  ENCRYPTION_KEYS:
    "AES-256 keys for stored secrets as a JWK set; unset: generated in DATA_DIR, which all processes must share",
  RELEASE_KEYS:
    "ES256 keys that sign update manifests as a JWK set; public keys only: manifests are signed offline; unset: generated in DATA_DIR",
  STRIPE_SECRET_KEY:
    "secret key of the payment provider (sk_…); unset: payment simulator, in production no card payments",
  STRIPE_PUBLISHABLE_KEY: "publishable key of the payment provider (pk_…), for card fields in the browser",
  STRIPE_WEBHOOK_SECRET: "secret that verifies the provider's webhooks (whsec_…)",
  STRIPE_API_URL: "alternative URL of the provider, for tests; refused in production",
  RAW_CARDS: ["off", "`on`: the REST API accepts raw card fields (PCI SAQ D); the payment simulator always does"],
  TRUSTED_PROXIES:
    "proxies trusted to set X-Forwarded-For, separated by commas: addresses, networks (10.0.0.0/8), loopback, linklocal, uniquelocal; unset: none",
  RATE_LIMITS: ["on", "`off` disables all rate limits; refused in production"],
  CHECK_RESPONSES: ["on", "`off` doesn't compare responses with the OpenAPI document, which production never does"],
  ADDRESS_PROVIDER: [
    "embedded",
    "address suggestions: embedded (Australian localities), addressfinder or google-places",
  ],
  ADDRESS_API_KEY: "API key of the address provider; stays on the server",
  ADDRESS_API_URL: "alternative URL of the address provider; unset: its own",
  ADMIN_TWO_STEP: [
    "optional",
    "`required`: admins must set up two-step sign-in before they can do anything else; `passkey`: they must add a passkey and sign in with it; production: required, for the first admin after 7 days",
  ],
  ADMIN_NETWORKS:
    "addresses and networks from which admins may sign in and use sessions and tokens, separated by commas; unset: everywhere",
  PUBLISHER_NAME:
    "organisation whose Authenticode signature every published installer needs; unset: as in schema/brand.ts",
  PUBLISHER_CERTIFICATES:
    "SHA-256 fingerprints of the publisher's certificate or of authorities above it, separated by commas",
  RELEASE_APPROVAL: [
    "one-person",
    "`two-person`: the admin who publishes a build must be another one than its uploader",
  ],
  KEEP_LICENCE_EVENTS_MONTHS:
    "whole months to keep licence events; older months are archived as Parquet and dropped a week later; unset: kept forever",
  INVOICE_REMINDER_DAYS: [
    "-3,0,7,14",
    "days after the due date on which customers are reminded of unpaid invoices; empty: no reminders",
  ],
  ANALYTICS_TAG_ID: "Google tag (G-…) for visitors who consent; unset: no consent banner and no analytics",
  GRAPHQL_OPERATIONS: [
    "any",
    "`known`: GraphQL accepts only the portal's own operations, except from admins and personal access tokens",
  ],
  UPDATES_URL: "URL of `release.json` of the newest release, which `doctor` and the Status page compare; unset: off",
  LOG_LEVEL: ["warn", "trace, debug, info, warn, error or silent; production: info"],
} as const satisfies Readonly<Record<string, string | readonly [unset: string, means: string]>>;

/** Names, defaults and descriptions of all settings. `.env.example` is generated from this list. */
export const settings = Object.entries(described).map(([name, text]: [string, string | readonly [string, string]]) => {
  const [unset, means] = typeof text === "string" ? ["", text] : text;
  return { name: name as keyof typeof described, default: unset, means };
});

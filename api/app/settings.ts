/** Names, defaults and descriptions of all settings. `.env.example` is generated from this list. */
export const settings = [
  {
    name: "NODE_ENV",
    default: "production",
    means:
      "`production` refuses unsafe defaults and doesn't serve /dev; `npm start` and `npm run dev` use `development`",
  },
  { name: "PORT", default: "4000", means: "port of the portal, /graphql, /v1, /software and /health" },
  { name: "HOST", default: "", means: "address to listen on; unset: 0.0.0.0 in production, otherwise 127.0.0.1" },
  { name: "PUBLIC_URL", default: "http://localhost:$PORT", means: "URL of the portal in emails and links" },
  {
    name: "DATABASE_URL",
    default: "",
    means: "URL of a PostgreSQL server, or of several with target_session_attrs; unset: embedded database",
  },
  {
    name: "DATABASE_DIRECT_URL",
    default: "",
    means:
      "connection in session mode for migrations and advisory locks, where DATABASE_URL is a pooler in transaction mode; unset: DATABASE_URL",
  },
  {
    name: "DATABASE_OWNER_URL",
    default: "",
    means:
      "connection in session mode of the role that migrates and owns the audit tables, so that the role of DATABASE_URL can only add to them; only `migrate` and `restore` need it if MIGRATE is manual; unset: DATABASE_URL",
  },
  {
    name: "DATABASE_REPLICA_URL",
    default: "",
    means: "read-only replica for reports, the dashboard and lists that tolerate lag; unset: none",
  },
  { name: "DATABASE_POOL_SIZE", default: "10", means: "database connections of one process" },
  {
    name: "MIGRATE",
    default: "auto",
    means: "`manual`: serve refuses to start on a schema that is behind, and names the command",
  },
  {
    name: "DRAIN_SECONDS",
    default: "0",
    means: "seconds after SIGTERM in which /health/ready answers 503 while requests are still served; production: 5",
  },
  { name: "METRICS_PORT", default: "", means: "port of the Prometheus metrics at /metrics; unset: off" },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    default: "",
    means: "URL that receives traces over OTLP/HTTP, such as http://localhost:4318; unset: off",
  },
  { name: "DATA_DIR", default: ".data", means: "folder of the embedded database, uploads and generated keys" },
  {
    name: "FILES_URL",
    default: "",
    means:
      "S3-compatible bucket for uploads: s3://bucket?region=… or https://key:secret@host/bucket; unset: DATA_DIR/files",
  },
  { name: "SMTP_URL", default: "", means: "SMTP server for outgoing email; unset: dev mailbox" },
  {
    name: "MAIL_FROM",
    default: "",
    means: "sender of all emails, such as Portal <no-reply@example.com>; unset: no-reply at the brand's domain",
  },
  {
    name: "DKIM_SELECTORS",
    default: "",
    means:
      "selectors of the DKIM keys of your SMTP provider, separated by commas, such as s1,s2, for `doctor` to check",
  },
  {
    name: "BRAND_FILE",
    default: "",
    means:
      "JSON file with the vendor's name, mailboxes, seller, bank account and time zone, as in brand.example.json; required in production; unset: the built-in brand",
  },
  { name: "SIGNING_KEYS", default: "", means: "ES256 private keys as a JWK set; unset: generated in DATA_DIR" },
  {
    name: "ENCRYPTION_KEYS",
    default: "",
    means: "AES-256 keys for stored secrets as a JWK set; unset: generated in DATA_DIR, which all processes must share",
  },
  {
    name: "RELEASE_KEYS",
    default: "",
    means:
      "ES256 keys that sign update manifests as a JWK set; public keys only: manifests are signed offline; unset: generated in DATA_DIR",
  },
  {
    name: "STRIPE_SECRET_KEY",
    default: "",
    means: "secret key of the payment provider (sk_…); unset: payment simulator, in production no card payments",
  },
  {
    name: "STRIPE_PUBLISHABLE_KEY",
    default: "",
    means: "publishable key of the payment provider (pk_…), for card fields in the browser",
  },
  { name: "STRIPE_WEBHOOK_SECRET", default: "", means: "secret that verifies the provider's webhooks (whsec_…)" },
  { name: "STRIPE_API_URL", default: "", means: "alternative URL of the provider, for tests; refused in production" },
  {
    name: "RAW_CARDS",
    default: "off",
    means: "`on`: the REST API accepts raw card fields (PCI SAQ D); the payment simulator always does",
  },
  {
    name: "TRUSTED_PROXIES",
    default: "",
    means:
      "proxies trusted to set X-Forwarded-For, separated by commas: addresses, networks (10.0.0.0/8), loopback, linklocal, uniquelocal; unset: none",
  },
  { name: "RATE_LIMITS", default: "on", means: "`off` disables all rate limits; refused in production" },
  {
    name: "CHECK_RESPONSES",
    default: "on",
    means: "`off` doesn't compare responses with the OpenAPI document, which production never does",
  },
  {
    name: "ADDRESS_PROVIDER",
    default: "embedded",
    means: "address suggestions: embedded (Australian localities), addressfinder or google-places",
  },
  { name: "ADDRESS_API_KEY", default: "", means: "API key of the address provider; stays on the server" },
  { name: "ADDRESS_API_URL", default: "", means: "alternative URL of the address provider; unset: its own" },
  {
    name: "ADMIN_TWO_STEP",
    default: "optional",
    means:
      "`required`: admins must set up two-step sign-in before they can do anything else; `passkey`: they must add a passkey and sign in with it; production: required, for the first admin after 7 days",
  },
  {
    name: "ADMIN_NETWORKS",
    default: "",
    means:
      "addresses and networks from which admins may sign in and use sessions and tokens, separated by commas; unset: everywhere",
  },
  {
    name: "PUBLISHER_NAME",
    default: "",
    means: "organisation whose Authenticode signature every published installer needs; unset: as in schema/brand.ts",
  },
  {
    name: "PUBLISHER_CERTIFICATES",
    default: "",
    means: "SHA-256 fingerprints of the publisher's certificate or of authorities above it, separated by commas",
  },
  {
    name: "RELEASE_APPROVAL",
    default: "one-person",
    means: "`two-person`: the admin who publishes a build must be another one than its uploader",
  },
  {
    name: "KEEP_LICENCE_EVENTS_MONTHS",
    default: "",
    means:
      "whole months to keep licence events; older months are archived as Parquet and dropped a week later; unset: kept forever",
  },
  {
    name: "INVOICE_REMINDER_DAYS",
    default: "-3,0,7,14",
    means: "days after the due date on which customers are reminded of unpaid invoices; empty: no reminders",
  },
  {
    name: "ANALYTICS_TAG_ID",
    default: "",
    means: "Google tag (G-…) for visitors who consent; unset: no consent banner and no analytics",
  },
  {
    name: "GRAPHQL_OPERATIONS",
    default: "any",
    means: "`known`: GraphQL accepts only the portal's own operations, except from admins and personal access tokens",
  },
  {
    name: "UPDATES_URL",
    default: "",
    means: "URL of `release.json` of the newest release, which `doctor` and the Status page compare; unset: off",
  },
  { name: "LOG_LEVEL", default: "warn", means: "trace, debug, info, warn, error or silent; production: info" },
] as const;

/** Name, default, meaning and whether production asks for it; `.env.example` is generated from here. */
export const settings = [
  {
    name: "NODE_ENV",
    default: "development",
    means: "`production` refuses unsafe defaults and serves nothing under /dev",
  },
  { name: "PORT", default: "4000", means: "one port: portal, /graphql, /v1, /software, /health" },
  { name: "PUBLIC_URL", default: "http://localhost:$PORT", means: "address of the portal in mails and links" },
  { name: "DATABASE_URL", default: "", means: "a PostgreSQL server; unset: the embedded one" },
  { name: "DATA_DIR", default: ".data", means: "embedded database, uploads, generated keys" },
  {
    name: "FILES_URL",
    default: "",
    means:
      "an S3-compatible bucket for builds: s3://bucket?region=… or https://key:secret@host/bucket; unset: DATA_DIR/files",
  },
  { name: "SMTP_URL", default: "", means: "outgoing mail; unset: the dev mailbox" },
  { name: "SIGNING_KEYS", default: "", means: "ES256 private keys as a JWK set; unset: generated into DATA_DIR" },
  { name: "STRIPE_SECRET_KEY", default: "", means: "payments (sk_…); unset: the payment simulator" },
  { name: "STRIPE_PUBLISHABLE_KEY", default: "", means: "the provider's card fields in the browser (pk_…)" },
  { name: "STRIPE_WEBHOOK_SECRET", default: "", means: "with which the provider signs its notices (whsec_…)" },
  { name: "STRIPE_API_URL", default: "", means: "another address of the provider, for tests; refused in production" },
  {
    name: "RAW_CARDS",
    default: "off",
    means: "`on`: the REST calls take raw card fields (PCI SAQ D); the payment simulator always does",
  },
  {
    name: "TRUSTED_PROXIES",
    default: "",
    means:
      "whose X-Forwarded-For is believed: addresses and networks (10.0.0.0/8), or loopback, linklocal, uniquelocal, with commas; unset: nobody's",
  },
  { name: "RATE_LIMITS", default: "on", means: "`off` lifts every rate limit; refused in production" },
  {
    name: "ADDRESS_PROVIDER",
    default: "embedded",
    means: "who completes addresses: embedded (Australian localities), addressfinder or google-places",
  },
  { name: "ADDRESS_API_KEY", default: "", means: "key of the online address provider; stays on the server" },
  { name: "ADDRESS_API_URL", default: "", means: "where that provider answers; unset: its own address" },
  {
    name: "ADMIN_TWO_STEP",
    default: "optional",
    means: "`required`: admins without two-step sign-in can do nothing but set it up",
  },
  {
    name: "KEEP_LICENCE_EVENTS_MONTHS",
    default: "",
    means:
      "detaches licence events older than so many whole months, and drops them for good a week later; unset: they are kept for ever",
  },
  {
    name: "ANALYTICS_TAG_ID",
    default: "",
    means: "a Google tag (G-…) for visitors who agree to it; unset: nobody is asked and nothing is loaded",
  },
  {
    name: "GRAPHQL_OPERATIONS",
    default: "any",
    means:
      "`known`: GraphQL answers the portal's own operations alone, unless asked by an admin or with a personal token",
  },
  { name: "LOG_LEVEL", default: "warn", means: "trace, debug, info, warn, error or silent; production: info" },
] as const;

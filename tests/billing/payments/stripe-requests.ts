/**
 * Release of Stripe's OpenAPI document that the table follows, as the `stripe` package names it. After an update of the
 * package, compare the table with the document and change the release.
 */
export const OPENAPI_VERSION = "v2596";

/** A type of the document; a list has the values of an enum. `clear` allows only the empty text, which unsets a value. */
export type ParameterType = "string" | "integer" | "number" | "boolean" | "clear" | readonly string[];

type Parameters = Readonly<Record<string, ParameterType>>;

const page = { limit: "integer" } as const;
const proration = ["always_invoice", "create_prorations", "none"] as const;

/**
 * Every request that the product sends to Stripe, by method and path as in Stripe's OpenAPI document, with the names and
 * types of the parameters it uses. `[]` is a position in a list or a key of metadata.
 */
export const stripeRequests: Readonly<Record<string, Parameters>> = {
  "POST /v1/products": { id: "string", name: "string" },
  "GET /v1/products/{id}": {},
  "POST /v1/products/{id}": { name: "string" },
  "GET /v1/prices": { "lookup_keys[]": "string", active: "boolean", ...page },
  "POST /v1/prices": {
    product: "string",
    currency: "string",
    unit_amount: "integer",
    tax_behavior: ["exclusive", "inclusive", "unspecified"],
    "recurring[interval]": ["day", "month", "week", "year"],
    lookup_key: "string",
    transfer_lookup_key: "boolean",
    nickname: "string",
  },
  "GET /v1/prices/{price}": {},
  "GET /v1/tax_rates": { active: "boolean", ...page },
  "POST /v1/tax_rates": {
    display_name: "string",
    country: "string",
    percentage: "number",
    inclusive: "boolean",
    jurisdiction: "string",
    "metadata[]": "string",
  },
  "POST /v1/customers": { email: "string", name: "string", "metadata[]": "string" },
  "GET /v1/customers/{customer}": {},
  "POST /v1/customers/{customer}": {
    email: "string",
    name: "string",
    "invoice_settings[default_payment_method]": "string",
  },
  "GET /v1/customers/{customer}/payment_methods": {},
  "POST /v1/payment_methods": {
    type: ["card", "au_becs_debit", "link"],
    "card[number]": "string",
    "card[exp_month]": "integer",
    "card[exp_year]": "integer",
    "card[cvc]": "string",
  },
  "POST /v1/payment_methods/{payment_method}/attach": { customer: "string" },
  "POST /v1/payment_methods/{payment_method}/detach": {},
  "POST /v1/coupons": {
    amount_off: "integer",
    currency: "string",
    duration: ["forever", "once", "repeating"],
    max_redemptions: "integer",
    name: "string",
  },
  "GET /v1/subscriptions": {
    customer: "string",
    status: ["active", "all", "canceled", "ended", "incomplete", "incomplete_expired", "past_due", "paused"],
    "expand[]": "string",
    ...page,
  },
  "POST /v1/subscriptions": {
    customer: "string",
    "items[][price]": "string",
    default_payment_method: "string",
    payment_behavior: ["allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"],
    "metadata[]": "string",
    "default_tax_rates[]": "string",
    "discounts[][coupon]": "string",
  },
  "GET /v1/subscriptions/{subscription_exposed_id}": { "expand[]": "string" },
  "POST /v1/subscriptions/{subscription_exposed_id}": {
    "items[][id]": "string",
    "items[][price]": "string",
    proration_behavior: proration,
    proration_date: "integer",
    payment_behavior: ["allow_incomplete", "default_incomplete", "error_if_incomplete", "pending_if_incomplete"],
    off_session: "boolean",
    cancel_at_period_end: "boolean",
    "metadata[]": "string",
    "pause_collection[behavior]": ["keep_as_draft", "mark_uncollectible", "void"],
    "pause_collection[resumes_at]": "integer",
    pause_collection: "clear",
    trial_end: "integer",
    default_payment_method: "string",
    default_tax_rates: "clear",
    "default_tax_rates[]": "string",
  },
  "DELETE /v1/subscriptions/{subscription_exposed_id}": {},
  "POST /v1/subscription_schedules": { from_subscription: "string" },
  "POST /v1/subscription_schedules/{schedule}": {
    end_behavior: ["cancel", "none", "release", "renew"],
    proration_behavior: proration,
    "phases[][items][][price]": "string",
    "phases[][default_tax_rates]": "clear",
    "phases[][default_tax_rates][]": "string",
    "phases[][metadata][]": "string",
    "phases[][start_date]": "integer",
    "phases[][end_date]": "integer",
    "phases[][trial_end]": "integer",
  },
  "POST /v1/subscription_schedules/{schedule}/release": {},
  "GET /v1/invoices": { customer: "string", "expand[]": "string", ...page },
  "GET /v1/invoices/{invoice}": { "expand[]": "string" },
  "POST /v1/invoices/create_preview": {
    subscription: "string",
    "subscription_details[items][][id]": "string",
    "subscription_details[items][][price]": "string",
    "subscription_details[proration_behavior]": proration,
    "subscription_details[proration_date]": "integer",
  },
  "POST /v1/invoices/{invoice}/pay": { off_session: "boolean" },
  "POST /v1/invoices/{invoice}/void": {},
  "GET /v1/charges": { customer: "string", ...page },
  "GET /v1/charges/{charge}": {},
  "GET /v1/refunds": { charge: "string", payment_intent: "string", ...page },
  "POST /v1/refunds": { payment_intent: "string", amount: "integer", "metadata[]": "string" },
  "GET /v1/payment_intents": { customer: "string", ...page },
  "POST /v1/payment_intents": {
    amount: "integer",
    currency: "string",
    customer: "string",
    payment_method: "string",
    description: "string",
    "metadata[]": "string",
    "automatic_payment_methods[enabled]": "boolean",
    "automatic_payment_methods[allow_redirects]": ["always", "never"],
    confirm: "boolean",
  },
  "GET /v1/payment_intents/{intent}": {},
  "POST /v1/payment_intents/{intent}/cancel": {},
  "POST /v1/setup_intents": {
    customer: "string",
    payment_method: "string",
    "automatic_payment_methods[enabled]": "boolean",
    "automatic_payment_methods[allow_redirects]": ["always", "never"],
    confirm: "boolean",
    usage: ["off_session", "on_session"],
  },
  "GET /v1/setup_intents/{intent}": {},
  "GET /v1/events": { "created[gte]": "integer", "types[]": "string", ...page },
  "GET /v1/disputes": { charge: "string", ...page },
};

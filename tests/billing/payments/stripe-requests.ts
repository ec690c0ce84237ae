/**
 * Release of Stripe's OpenAPI document (API version 2026-10-28.endive) that the `stripe` package was generated from and that
 * the calls were compared with. After an update of the package, compare them again and change the release.
 */
export const OPENAPI_VERSION = "v2596";

/**
 * Every call that the product sends to Stripe, by method and path as in Stripe's OpenAPI document, with the package's type of
 * its parameters.
 */
export const stripeRequests: Readonly<Record<string, string>> = {
  "POST /v1/products": "ProductCreateParams",
  "GET /v1/products/{id}": "ProductRetrieveParams",
  "POST /v1/products/{id}": "ProductUpdateParams",
  "GET /v1/prices": "PriceListParams",
  "POST /v1/prices": "PriceCreateParams",
  "GET /v1/prices/{price}": "PriceRetrieveParams",
  "GET /v1/tax_rates": "TaxRateListParams",
  "POST /v1/tax_rates": "TaxRateCreateParams",
  "POST /v1/customers": "CustomerCreateParams",
  "GET /v1/customers/{customer}": "CustomerRetrieveParams",
  "POST /v1/customers/{customer}": "CustomerUpdateParams",
  "GET /v1/customers/{customer}/payment_methods": "CustomerListPaymentMethodsParams",
  "POST /v1/payment_methods": "PaymentMethodCreateParams",
  "POST /v1/payment_methods/{payment_method}/attach": "PaymentMethodAttachParams",
  "POST /v1/payment_methods/{payment_method}/detach": "PaymentMethodDetachParams",
  "POST /v1/coupons": "CouponCreateParams",
  "GET /v1/subscriptions": "SubscriptionListParams",
  "POST /v1/subscriptions": "SubscriptionCreateParams",
  "GET /v1/subscriptions/{subscription_exposed_id}": "SubscriptionRetrieveParams",
  "POST /v1/subscriptions/{subscription_exposed_id}": "SubscriptionUpdateParams",
  "DELETE /v1/subscriptions/{subscription_exposed_id}": "SubscriptionCancelParams",
  "POST /v1/subscription_schedules": "SubscriptionScheduleCreateParams",
  "POST /v1/subscription_schedules/{schedule}": "SubscriptionScheduleUpdateParams",
  "POST /v1/subscription_schedules/{schedule}/release": "SubscriptionScheduleReleaseParams",
  "GET /v1/invoices": "InvoiceListParams",
  "GET /v1/invoices/{invoice}": "InvoiceRetrieveParams",
  "POST /v1/invoices/create_preview": "InvoiceCreatePreviewParams",
  "POST /v1/invoices/{invoice}/pay": "InvoicePayParams",
  "POST /v1/invoices/{invoice}/void": "InvoiceVoidInvoiceParams",
  "GET /v1/charges": "ChargeListParams",
  "GET /v1/charges/{charge}": "ChargeRetrieveParams",
  "GET /v1/refunds": "RefundListParams",
  "POST /v1/refunds": "RefundCreateParams",
  "GET /v1/payment_intents": "PaymentIntentListParams",
  "POST /v1/payment_intents": "PaymentIntentCreateParams",
  "GET /v1/payment_intents/{intent}": "PaymentIntentRetrieveParams",
  "POST /v1/payment_intents/{intent}/cancel": "PaymentIntentCancelParams",
  "POST /v1/setup_intents": "SetupIntentCreateParams",
  "GET /v1/setup_intents/{intent}": "SetupIntentRetrieveParams",
  "GET /v1/events": "EventListParams",
  "GET /v1/disputes": "DisputeListParams",
};

/** Types of the `stripe` package for the objects in responses, by their `object` field. */
export const stripeObjects: Readonly<Record<string, string>> = {
  charge: "Charge",
  coupon: "Coupon",
  customer: "Customer",
  dispute: "Dispute",
  invoice: "Invoice",
  payment_intent: "PaymentIntent",
  payment_method: "PaymentMethod",
  price: "Price",
  product: "Product",
  refund: "Refund",
  setup_intent: "SetupIntent",
  subscription: "Subscription",
  subscription_schedule: "SubscriptionSchedule",
  tax_rate: "TaxRate",
};

/**
 * Source of the types that sent parameters and received objects must have. They may have any of the fields that the
 * provider's type has. The words of an enum are those in the document, which the package extends by any text.
 */
export const wireTypes = `
import type Stripe from "stripe";
type Literal<Value> = Value extends string ? (string extends Value ? never : Value) : never;
type Closed<Value> = [Literal<Value>] extends [never] ? Value : Literal<Value> | Exclude<Value, string>;
type Received<Value> = Value extends string
  ? Value
  : Value extends (infer Item)[]
    ? Received<Item>[]
    : Value extends object
      ? { [Name in keyof Value]?: Received<Closed<Value[Name]>> }
      : Value;
type Sent<Value> = Value extends string
  ? Value
  : Value extends number | boolean
    ? \`\${Value}\`
    : Value extends (infer Item)[]
      ? Sent<Closed<Item>>[]
      : Value extends object
        ? { [Name in keyof Value]?: Sent<Closed<Value[Name]>> }
        : Value;
`;

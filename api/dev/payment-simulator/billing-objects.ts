import type {
  ApiList,
  Charge,
  Coupon,
  Customer,
  Discount,
  Dispute,
  Event,
  StoredObject,
  PaymentIntent,
  PaymentMethod,
  Price,
  Product,
  Refund,
  SetupIntent,
  TaxRate,
  TestClock,
} from "./provider-objects.ts";

/** Subscriptions, schedules and invoices. Amounts are integer cents; times are seconds since 1970 (UTC). */

export interface SubscriptionItem extends StoredObject<"subscription_item"> {
  current_period_start: number;
  current_period_end: number;
  discounts: string[];
  price: Price;
  quantity: 1;
  subscription: string;
  tax_rates: never[];
}

export type SubscriptionStatus = "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "canceled";

/**
 * Amount billed for the current period, after discounts and before tax. A credit for unused time is a share of this
 * amount.
 */
export interface BilledPeriod {
  amount: number;
  start: number;
  end: number;
}

/** A price change that has been applied or is waiting for its payment. */
export interface PriceChange {
  price: string;
  anchor: number;
  start: number;
  end: number;
  billed: BilledPeriod;
}

export interface Subscription extends StoredObject<"subscription"> {
  billing_cycle_anchor: number;
  billing_mode: { type: "flexible"; flexible: { proration_discounts: "included" } };
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null };
  collection_method: "charge_automatically";
  currency: string;
  customer: string;
  default_payment_method: string | null;
  default_tax_rates: TaxRate[];
  description: string | null;
  discounts: string[];
  ended_at: number | null;
  items: ApiList<SubscriptionItem>;
  latest_invoice: string | null;
  payment_settings: { payment_method_types: string[] | null; save_default_payment_method: "off" | "on_subscription" };
  pause_collection: { behavior: "void"; resumes_at: number } | null;
  pending_setup_intent: null;
  pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null;
  schedule: string | null;
  start_date: number;
  status: SubscriptionStatus;
  test_clock: string | null;
  trial_start: number | null;
  trial_end: number | null;
  sim: {
    billed: BilledPeriod;
    pendingLines: LineSeed[];
    pendingChange: { invoice: string; change: PriceChange } | null;
  };
}

export interface SchedulePhase {
  currency: string;
  default_payment_method: string | null;
  default_tax_rates: TaxRate[];
  discounts: never[];
  end_date: number;
  items: { price: string; quantity: 1; metadata: Record<string, string>; discounts: never[]; tax_rates: never[] }[];
  metadata: Record<string, string>;
  proration_behavior: string;
  start_date: number;
  trial_end: number | null;
}

export interface SubscriptionSchedule extends StoredObject<"subscription_schedule"> {
  canceled_at: number | null;
  completed_at: number | null;
  current_phase: { start_date: number; end_date: number } | null;
  customer: string;
  end_behavior: "release" | "cancel";
  phases: SchedulePhase[];
  released_at: number | null;
  released_subscription: string | null;
  status: "active" | "released" | "canceled" | "completed";
  subscription: string | null;
  test_clock: string | null;
}

/** An invoice line before discounts and taxes are calculated. */
export interface LineSeed {
  amount: number;
  description: string;
  price: Price;
  item: string;
  period: { start: number; end: number };
  proration: boolean;
}

export interface LineTax {
  amount: number;
  tax_behavior: "exclusive";
  tax_rate_details: { tax_rate: string };
  taxability_reason: "not_available";
  taxable_amount: number;
  type: "tax_rate_details";
}

export interface InvoiceLine extends Omit<StoredObject<"line_item">, "created"> {
  amount: number;
  currency: string;
  description: string;
  discount_amounts: { amount: number; discount: string }[];
  discountable: boolean;
  discounts: string[];
  invoice: string;
  parent: {
    type: "subscription_item_details";
    invoice_item_details: null;
    subscription_item_details: {
      invoice_item: null;
      proration: boolean;
      proration_details: { credited_items: null };
      subscription: string | null;
      subscription_item: string;
    };
  };
  period: { start: number; end: number };
  pretax_credit_amounts: never[];
  pricing: { type: "price_details"; price_details: { price: string; product: string }; unit_amount_decimal: string };
  quantity: 1;
  quantity_decimal: "1";
  subscription: string | null;
  subtotal: number;
  taxes: LineTax[];
}

export type BillingReason =
  | "subscription_create"
  | "subscription_cycle"
  | "subscription_update"
  | "upcoming"
  | "manual";

export interface Invoice extends StoredObject<"invoice"> {
  amount_due: number;
  amount_overpaid: number;
  amount_paid: number;
  amount_remaining: number;
  amount_shipping: 0;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  billing_reason: BillingReason;
  collection_method: "charge_automatically";
  currency: string;
  customer: string | null;
  customer_address: Customer["address"];
  customer_email: string | null;
  customer_name: string | null;
  default_payment_method: null;
  default_tax_rates: TaxRate[];
  description: null;
  discounts: string[];
  due_date: null;
  ending_balance: number | null;
  hosted_invoice_url: null;
  invoice_pdf: null;
  lines: ApiList<InvoiceLine>;
  next_payment_attempt: number | null;
  number: string | null;
  parent: {
    type: "subscription_details";
    quote_details: null;
    subscription_details: {
      metadata: Record<string, string>;
      subscription: string;
      subscription_proration_date?: number;
    };
  } | null;
  period_start: number;
  period_end: number;
  post_payment_credit_notes_amount: 0;
  pre_payment_credit_notes_amount: 0;
  starting_balance: number;
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: number | null;
    paid_at: number | null;
    voided_at: number | null;
  };
  subtotal: number;
  subtotal_excluding_tax: number;
  test_clock: string | null;
  total: number;
  total_discount_amounts: { amount: number; discount: string }[];
  total_excluding_tax: number;
  total_pretax_credit_amounts: never[];
  total_taxes: LineTax[];
  sim: { intent: string | null; payment: string | null };
}

export interface InvoicePayment extends StoredObject<"invoice_payment"> {
  amount_paid: number | null;
  amount_requested: number;
  currency: string;
  invoice: string;
  is_default: boolean;
  payment: { type: "payment_intent"; payment_intent: string };
  status: "open" | "paid" | "canceled";
  status_transitions: { canceled_at: number | null; paid_at: number | null };
}

/** Types of stored objects by the value of their `object` field. */
export interface ObjectTypes {
  "test_helpers.test_clock": TestClock;
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  product: Product;
  price: Price;
  tax_rate: TaxRate;
  coupon: Coupon;
  discount: Discount;
  subscription: Subscription;
  subscription_schedule: SubscriptionSchedule;
  invoice: Invoice;
  invoice_payment: InvoicePayment;
  event: Event;
}

export type ObjectName = keyof ObjectTypes;
export type AnyObject = ObjectTypes[ObjectName];

/**
 * Objects of the provider's API version 2026-10-28, with the fields the simulator supports. Amounts are integer cents; times
 * are seconds since 1970 (UTC). The simulator keeps internal state in `sim`, which responses never include.
 */

/** Fields shared by all objects. */
export interface StoredObject<Name extends string> {
  id: string;
  object: Name;
  created: number;
  livemode: false;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface ApiList<Item> {
  object: "list";
  url: string;
  has_more: boolean;
  data: Item[];
}

export interface TestClock extends Omit<StoredObject<"test_helpers.test_clock">, "metadata"> {
  name: string | null;
  frozen_time: number;
  status: "ready";
  deletes_after: number;
}

export interface Address {
  line1?: string;
  line2?: string;
  city?: string;
  state?: string;
  postal_code?: string;
  country?: string;
}

export interface Customer extends StoredObject<"customer"> {
  email: string | null;
  name: string | null;
  description: string | null;
  phone: string | null;
  address: Address | null;
  /** Cents. A negative balance is a credit that reduces the next invoice. */
  balance: number;
  currency: string | null;
  delinquent: boolean;
  invoice_prefix: string;
  next_invoice_sequence: number;
  invoice_settings: { default_payment_method: string | null };
  test_clock: string | null;
}

/** Behaviour of a test card when it is attached or charged. */
export type CardBehaviour =
  | { does: "pays" }
  | { does: "declines"; code: string; declineCode: string | null }
  | { does: "declines when charged" }
  | { does: "pays once" }
  | { does: "requires authentication once" }
  | { does: "requires authentication always" }
  | { does: "disputes" };

export interface PaymentMethod extends StoredObject<"payment_method"> {
  type: "card";
  customer: string | null;
  billing_details: { name: string | null; email: string | null; phone: string | null; address: Address | null };
  card: {
    brand: string;
    display_brand: string;
    country: string;
    exp_month: number;
    exp_year: number;
    fingerprint: string;
    funding: "credit";
    last4: string;
    checks: { cvc_check: string | null; address_line1_check: null; address_postal_code_check: null };
    three_d_secure_usage: { supported: boolean };
  };
  sim: { behaviour: CardBehaviour; paid: number; setUp: boolean };
}

export interface PaymentError {
  type: string;
  code: string;
  decline_code?: string;
  message: string;
  payment_method?: unknown;
}

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "succeeded"
  | "canceled";

export interface NextAction {
  type: "use_stripe_sdk";
  use_stripe_sdk: { type: "three_d_secure_redirect" };
}

export interface SetupIntent extends StoredObject<"setup_intent"> {
  client_secret: string;
  customer: string | null;
  description: string | null;
  payment_method: string | null;
  payment_method_types: string[];
  status: IntentStatus;
  usage: string;
  next_action: NextAction | null;
  last_setup_error: PaymentError | null;
}

export interface PaymentIntent extends StoredObject<"payment_intent"> {
  amount: number;
  amount_received: number;
  currency: string;
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  payment_method_types: string[];
  setup_future_usage: "off_session" | null;
  status: IntentStatus;
  next_action: NextAction | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  canceled_at: number | null;
  description?: string | null;
  sim: { invoice: string | null };
}

export interface Charge extends StoredObject<"charge"> {
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  currency: string;
  customer: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  outcome: { network_status: string; reason: string | null; type: string };
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: "card"; card: { brand: string; last4: string; exp_month: number; exp_year: number } };
  refunded: boolean;
  status: "succeeded" | "failed";
  sim: { clock: string | null; disputeAt: number | null };
}

export interface Refund extends StoredObject<"refund"> {
  amount: number;
  charge: string;
  currency: string;
  customer: string | null;
  payment_intent: string;
  payment_method: string;
  reason: string | null;
  receipt_number: null;
  status: "succeeded";
}

export interface Dispute extends StoredObject<"dispute"> {
  amount: number;
  charge: string;
  currency: string;
  evidence: { uncategorized_text: string | null };
  evidence_details: { due_by: number; has_evidence: boolean; past_due: boolean; submission_count: number };
  is_charge_refundable: boolean;
  payment_intent: string;
  reason: "fraudulent";
  status: "needs_response" | "won" | "lost";
}

export interface Product extends StoredObject<"product"> {
  active: boolean;
  name: string;
  description: string | null;
  images: string[];
  marketing_features: never[];
  type: "service";
  updated: number;
  url: string | null;
}

export interface Price extends StoredObject<"price"> {
  active: boolean;
  billing_scheme: "per_unit";
  currency: string;
  lookup_key: string | null;
  nickname: string | null;
  product: string;
  recurring: { interval: Interval; interval_count: number; meter: null; usage_type: "licensed" };
  tax_behavior: "exclusive" | "inclusive" | "unspecified";
  type: "recurring";
  unit_amount: number;
  unit_amount_decimal: string;
}

export type Interval = "day" | "week" | "month" | "year";

export interface TaxRate extends StoredObject<"tax_rate"> {
  active: boolean;
  country: string | null;
  description: string | null;
  display_name: string;
  effective_percentage: number;
  inclusive: false;
  jurisdiction: string | null;
  percentage: number;
  rate_type: "percentage";
  state: string | null;
  tax_type: string | null;
}

export interface Coupon extends StoredObject<"coupon"> {
  amount_off: number | null;
  currency: string | null;
  duration: "once" | "forever" | "repeating";
  duration_in_months: number | null;
  max_redemptions: number | null;
  name: string | null;
  percent_off: number | null;
  redeem_by: number | null;
  times_redeemed: number;
  valid: boolean;
}

export interface Discount extends StoredObject<"discount"> {
  checkout_session: null;
  customer: string | null;
  end: number | null;
  invoice: null;
  invoice_item: null;
  promotion_code: null;
  source: { type: "coupon"; coupon: string };
  start: number;
  subscription: string | null;
  subscription_item: null;
}

export interface Event extends Omit<StoredObject<"event">, "metadata"> {
  api_version: string;
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

import { type CardFieldName, PaymentProviderUnreachable, type CardResult } from "./card-entry.ts";
import { getDigits, parseExpiry } from "./card-format.ts";

/** Address of the payment simulator, on the portal's own origin. */
const SIMULATOR_URL = "/dev/payments/v1";
const TIMEOUT_MS = 20_000;

interface Refusal {
  message?: string;
  code?: string;
  param?: string;
}

/** Submits a card to the simulator, as the provider's fields do to the provider. @throws PaymentProviderUnreachable */
export async function submitCard(
  publishableKey: string,
  typed: Readonly<Record<CardFieldName, string>>,
): Promise<CardResult> {
  const { month, year } = parseExpiry(typed.expiryDate);
  const { id, error } = await post(publishableKey, "/payment_methods", {
    type: "card",
    "card[number]": getDigits(typed.cardNumber),
    "card[exp_month]": String(month),
    "card[exp_year]": String(year),
    "card[cvc]": getDigits(typed.cvc, 4),
  });
  if (id) return { kind: "taken", paymentMethodId: id };
  return { kind: "refused", field: getRefusedField(error), message: error?.message ?? "The card was not accepted." };
}

/** Submits the customer's decision to the simulated bank. @throws PaymentProviderUnreachable */
export async function submitBankDecision(
  publishableKey: string,
  clientSecret: string,
  confirmed: boolean,
): Promise<void> {
  const [id = ""] = clientSecret.split("_secret_");
  const kind = id.startsWith("seti_") ? "setup_intents" : "payment_intents";
  await post(publishableKey, `/${kind}/${encodeURIComponent(id)}/confirm`, {
    client_secret: clientSecret,
    simulated_authentication: confirmed ? "succeed" : "fail",
  });
}

async function post(
  publishableKey: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ id?: string; error?: Refusal }> {
  try {
    const response = await fetch(SIMULATOR_URL + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${publishableKey}`,
        "Content-Type": "application/x-www-form-urlencoded",
        Accept: "application/json",
      },
      body: new URLSearchParams(fields).toString(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status >= 500) throw new PaymentProviderUnreachable();
    return (await response.json()) as { id?: string; error?: Refusal };
  } catch {
    // Omit the cause, because it may contain card data.
    throw new PaymentProviderUnreachable();
  }
}

/** Returns the field that a refusal concerns, or the card number if the refusal doesn't say. */
export function getRefusedField(refusal: Refusal | undefined): CardFieldName {
  const about = `${refusal?.param ?? ""} ${refusal?.code ?? ""}`;
  if (/cvc/.test(about)) return "cvc";
  return /exp/.test(about) ? "expiryDate" : "cardNumber";
}

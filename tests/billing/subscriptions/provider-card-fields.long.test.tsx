import { act, screen, waitFor } from "@testing-library/react";
import { createRef, useEffect, useRef } from "react";
import { useForm, useWatch } from "react-hook-form";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderWeb } from "#tests/support/render-web.tsx";
import { blankCard, type CardEntry, type CardFieldStates } from "#web/billing/card-fields/card-entry.ts";
import ProviderCardFields from "#web/billing/card-fields/provider-card-fields.tsx";

const provider = vi.hoisted(() => ({
  load: (): Promise<unknown> => Promise.resolve(null),
  stripe: {} as Record<string, unknown>,
}));
vi.mock("@stripe/stripe-js/pure", () => ({ loadStripe: () => provider.load() }));
vi.mock("@stripe/react-stripe-js", () => {
  const Element = (props: { id: string; onChange: (change: object) => void; onReady: (element: object) => void }) => {
    const frame = useRef<HTMLButtonElement>(null);
    const { onReady } = props;
    useEffect(() => onReady({ focus: () => frame.current?.focus() }), [onReady]);
    return (
      <button type="button" ref={frame} onClick={() => props.onChange({ empty: false, complete: true })}>
        frame
      </button>
    );
  };
  return {
    CardNumberElement: Element,
    CardExpiryElement: Element,
    CardCvcElement: Element,
    Elements: ({ children }: { children: React.ReactNode }) => children,
    useElements: () => ({ getElement: () => "the card" }),
  };
});

function Form({ entry }: { entry: React.Ref<CardEntry> }) {
  const { control, setFocus } = useForm<CardFieldStates>({ defaultValues: blankCard });
  const form = useWatch({ control });
  return (
    <>
      <ProviderCardFields ref={entry} control={control} source={{ kind: "PROVIDER", publishableKey: "pk_test_1" }} />
      <output>{JSON.stringify(form)}</output>
      <button type="button" onClick={() => setFocus("cvc")}>
        Focus CVC
      </button>
    </>
  );
}

function open() {
  const entry = createRef<CardEntry>();
  renderWeb(
    <main id="main" tabIndex={-1}>
      <Form entry={entry} />
    </main>,
  );
  return entry;
}

beforeEach(() => {
  provider.load = () => Promise.resolve(provider.stripe);
});
afterEach(() => vi.useRealTimers());

test("shows a message and a Try again button if the script doesn't load within 10 seconds", async () => {
  vi.useFakeTimers();
  provider.load = () => new Promise(() => {});
  const entry = open();
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(screen.queryByRole("alert")).toBeNull();
  await expect(entry.current?.submit()).rejects.toThrow("not loaded yet");
  await act(() => vi.advanceTimersByTimeAsync(1_100));
  expect(screen.getByRole("alert").textContent).toMatch(/could not be loaded/);
  provider.load = () => Promise.resolve(provider.stripe);
  const again = screen.getByRole("button", { name: "Try again" });
  act(() => again.focus());
  await act(async () => again.click());
  expect(screen.getByText("Card Number")).toBeTruthy();
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});

test("moves the focus of a form into the provider's field", async () => {
  open();
  await screen.findByText("Card Number");
  act(() => screen.getByRole("button", { name: "Focus CVC" }).click());
  const [, , cvc] = screen.getAllByRole("button", { name: "frame" });
  await waitFor(() => expect(document.activeElement).toBe(cvc));
});

test("reports the state of the provider's fields, and returns a payment method id", async () => {
  provider.stripe = { createPaymentMethod: async () => ({ paymentMethod: { id: "pm_9" } }) };
  const entry = open();
  await screen.findByText("Card Number");
  for (const frame of screen.getAllByRole("button", { name: "frame" })) act(() => frame.click());
  const form = JSON.parse(screen.getByRole("status").textContent);
  expect(form).toEqual({ cardNumber: "complete", expiryDate: "complete", cvc: "complete" });
  expect(await entry.current?.submit()).toEqual({ kind: "taken", paymentMethodId: "pm_9" });
});

test.each([
  [{ type: "card_error", code: "incorrect_cvc", message: "Wrong code." }, "cvc"],
  [{ type: "validation_error", code: "incomplete_expiry", message: "Wrong date." }, "expiryDate"],
])("reports a provider error for its field", async (error, field) => {
  provider.stripe = { createPaymentMethod: async () => ({ error }) };
  const entry = open();
  await screen.findByText("Card Number");
  expect(await entry.current?.submit()).toEqual({ kind: "refused", field, message: error.message });
});

test("starts authentication for payments and card setups with their client secrets", async () => {
  const calls: string[] = [];
  const recordCall = (what: string) => async (secret: string) => {
    calls.push(`${what} ${secret}`);
    return {};
  };
  provider.stripe = { confirmCardPayment: recordCall("payment"), confirmCardSetup: recordCall("setup") };
  const entry = open();
  await waitFor(() => expect(screen.getByText("Card Number")).toBeTruthy());
  expect(await entry.current?.confirmWithBank("pi_1_secret_x")).toBe("answered");
  expect(await entry.current?.confirmWithBank("seti_1_secret_x")).toBe("answered");
  expect(calls).toEqual(["payment pi_1_secret_x", "setup seti_1_secret_x"]);
});

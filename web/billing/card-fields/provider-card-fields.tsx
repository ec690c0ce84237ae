import { CardCvcElement, CardExpiryElement, CardNumberElement, Elements, useElements } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { Input, Paper, SimpleGrid, Stack } from "@mantine/core";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useId, useImperativeHandle, useState } from "react";
import { useController } from "react-hook-form";
import { useColourScheme } from "#web/platform/colour-scheme.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { type CardFieldName, type CardFieldsProps, PaymentProviderUnreachable } from "./card-entry.ts";
import { getRefusedField } from "./payment-simulator.ts";

/** Timeout for loading the script, in milliseconds. A blocked script may never fire an event. */
const TIMEOUT_MS = 10_000;

type Provider = { kind: "loading" } | { kind: "ready"; stripe: Stripe } | { kind: "unreachable" };

/** The provider's own fields in frames, so that card data never reaches this page. */
export default function ProviderCardFields(props: CardFieldsProps) {
  const { source, ref } = props;
  const [provider, setProvider] = useState<Provider>({ kind: "loading" });

  useEffect(() => {
    if (provider.kind !== "loading") return;
    loadProvider(source.publishableKey).then(
      (stripe) => setProvider({ kind: "ready", stripe }),
      () => setProvider({ kind: "unreachable" }),
    );
  }, [provider.kind, source.publishableKey]);

  useImperativeHandle(provider.kind === "ready" ? null : ref, refuseUntilReady, []);

  if (provider.kind === "loading") return <LoadingBlock label="Loading the card fields" />;
  if (provider.kind === "unreachable")
    return (
      <Paper withBorder p="lg" bg="var(--xp-sunken)" role="alert">
        <Stack gap="sm" align="flex-start">
          <p>
            The card fields of our payment provider could not be loaded. Your connection may be slow, or a program may
            block js.stripe.com. We have kept what you entered.
          </p>
          <BusyButton variant="default" onPress={() => setProvider({ kind: "loading" })}>
            Try again
          </BusyButton>
        </Stack>
      </Paper>
    );
  return (
    <Elements stripe={provider.stripe}>
      <Fields {...props} stripe={provider.stripe} />
    </Elements>
  );
}

/** Card entry of a form that is submitted before the provider's fields have loaded. */
function refuseUntilReady() {
  const refuse = () => Promise.reject(new PaymentProviderUnreachable("The card fields have not loaded yet."));
  return { submit: refuse, confirmWithBank: refuse };
}

async function loadProvider(publishableKey: string): Promise<Stripe> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PaymentProviderUnreachable()), TIMEOUT_MS);
  });
  try {
    // The type of `locale` lacks en-AU, which the script supports.
    const stripe = await Promise.race([loadStripe(publishableKey, { locale: "en-AU" as never }), timeout]);
    if (!stripe) throw new PaymentProviderUnreachable();
    return stripe;
  } finally {
    clearTimeout(timer);
  }
}

function Fields({ control, ref, onEdit, stripe }: CardFieldsProps & { stripe: Stripe }) {
  const elements = useElements();
  const style = useFieldStyle();

  useImperativeHandle(
    ref,
    () => ({
      submit: async () => {
        const card = elements?.getElement(CardNumberElement);
        if (!card) throw new PaymentProviderUnreachable();
        const { paymentMethod, error } = await stripe
          .createPaymentMethod({ type: "card", card })
          .catch(throwUnreachable);
        if (paymentMethod) return { kind: "taken", paymentMethodId: paymentMethod.id };
        if (error.type === "api_connection_error" || error.type === "api_error") throw new PaymentProviderUnreachable();
        return {
          kind: "refused",
          field: getRefusedField(error),
          message: error.message ?? "The card was not accepted.",
        };
      },
      confirmWithBank: async (clientSecret) => {
        const confirmed: Promise<unknown> = clientSecret.startsWith("seti_")
          ? stripe.confirmCardSetup(clientSecret)
          : stripe.confirmCardPayment(clientSecret);
        // The API has the result, even after a refusal or a lost connection.
        await confirmed.catch(() => undefined);
        return "answered";
      },
    }),
    [elements, stripe],
  );

  const common = { control, onEdit, style };
  return (
    <>
      <ProviderField {...common} name="cardNumber" label="Card Number" Element={CardNumberElement} />
      <SimpleGrid cols={2} spacing="md">
        <ProviderField {...common} name="expiryDate" label="Expiry Date" Element={CardExpiryElement} />
        <ProviderField {...common} name="cvc" label="CVC" Element={CardCvcElement} />
      </SimpleGrid>
    </>
  );
}

function throwUnreachable(): never {
  throw new PaymentProviderUnreachable();
}

interface ProviderFieldProps extends Pick<CardFieldsProps, "control" | "onEdit"> {
  name: CardFieldName;
  label: string;
  style: ReturnType<typeof useFieldStyle>;
  Element: typeof CardNumberElement | typeof CardExpiryElement | typeof CardCvcElement;
}

function ProviderField({ control, name, label, style, Element, onEdit }: ProviderFieldProps) {
  const { field, fieldState } = useController({ control, name });
  const id = useId();
  const [focused, setFocused] = useState(false);
  const [element, setElement] = useState<{ focus: () => void } | null>(null);
  const error = fieldState.error?.message;
  return (
    <Input.Wrapper id={id} label={label} error={error}>
      <Input
        component="div"
        error={error}
        withAria={false}
        // Moves the focus into the frame when the form focuses the field, for example because of an error.
        ref={(box: HTMLDivElement | null) => {
          if (box) box.focus = () => element?.focus();
          field.ref(box);
        }}
        styles={{
          input: {
            display: "grid",
            alignContent: "center",
            cursor: "text",
            outline: focused ? "2px solid var(--input-bd)" : undefined,
            outlineOffset: "-1px",
          },
        }}
        data-invalid={error === undefined ? undefined : true}
      >
        <Element
          id={id}
          options={{ style }}
          onReady={setElement}
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false);
            field.onBlur();
          }}
          onChange={({ empty, complete, error: fault }) => {
            field.onChange(empty ? "" : complete ? "complete" : (fault?.message ?? "incomplete"));
            onEdit?.();
          }}
        />
      </Input>
    </Input.Wrapper>
  );
}

/** Returns styles for the provider's frames, which can't use this page's style sheet. */
function useFieldStyle() {
  useColourScheme();
  return {
    base: {
      color: readColour("--xp-ink"),
      iconColor: readColour("--xp-muted"),
      fontFamily: "system-ui, sans-serif",
      fontSize: "16px",
      "::placeholder": { color: readColour("--xp-faint") },
    },
    invalid: { color: readColour("--xp-critical"), iconColor: readColour("--xp-critical") },
  };
}

/** Returns a colour token as the browser resolves it in the current colour scheme. */
function readColour(name: string): string {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

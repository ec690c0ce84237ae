import { Anchor, Button, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { type ChangeEvent, Suspense, useImperativeHandle, useRef, useState } from "react";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import type { CardFieldName, CardFieldsProps } from "./card-entry.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { brand } from "#schema/brand.ts";
import { Callout } from "#web/ui/callout.tsx";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { useField } from "#web/ui/form/use-field.tsx";
import {
  getCardNumberState,
  getCaretAfterDigits,
  getCvcState,
  getDigits,
  getExpiryState,
  formatCardNumber,
  formatCvc,
  formatExpiry,
} from "./card-format.ts";
import { submitBankDecision, submitCard } from "./payment-simulator.ts";

/** Tells the customer how to pay while the portal takes no cards. `invoice` is the number of the one to pay. */
export function CardPaymentsOff({ invoice }: { invoice?: string }) {
  const { email } = brand.mailboxes.sales;
  return (
    <Callout tone="notice">
      <Text fw={560}>Card payments are switched off</Text>
      {invoice ? (
        <Text>
          Please pay by bank transfer to the account that is shown with the invoice, with the reference {invoice}.
        </Text>
      ) : (
        <Text>
          You can pay by bank transfer. Write to <Anchor href={`mailto:${email}`}>{email}</Anchor> with the level you
          want, and we will send you an invoice.
        </Text>
      )}
    </Callout>
  );
}

/** Loaded only if the payment provider takes the card, because it needs the provider's libraries. */
const ProviderCardFields = lazyPart(() => import("./provider-card-fields.tsx"), "message");

/** Fields for the card number, expiry date and CVC. The form submits the card through `ref`. */
export function CardFields(props: CardFieldsProps) {
  return (
    <Stack gap="1.25rem">
      {props.source.kind === "SIMULATOR" ? (
        <SimulatorCardFields {...props} />
      ) : (
        <Suspense fallback={<LoadingBlock label="Loading the card fields" />}>
          <ProviderCardFields {...props} />
        </Suspense>
      )}
    </Stack>
  );
}

type Boxes = Record<CardFieldName, HTMLInputElement | null>;

/** Our own card fields. The input stays in the boxes and is only sent to the payment simulator. */
function SimulatorCardFields({ source, control, ref, onEdit }: CardFieldsProps) {
  const boxes = useRef<Boxes>({ cardNumber: null, expiryDate: null, cvc: null });
  const [question, setQuestion] = useState<Question | null>(null);
  const { publishableKey } = source;

  useImperativeHandle(
    ref,
    () => ({
      submit: () => {
        const { cardNumber, expiryDate, cvc } = boxes.current;
        const typed = {
          cardNumber: cardNumber?.value ?? "",
          expiryDate: expiryDate?.value ?? "",
          cvc: cvc?.value ?? "",
        };
        return submitCard(publishableKey, typed);
      },
      confirmWithBank: async (clientSecret) => {
        const answer = await new Promise<Answer>((resolve) => setQuestion({ answer: resolve }));
        setQuestion(null);
        if (answer === "abandoned") return answer;
        // The API has the result, also after a lost connection.
        await submitBankDecision(publishableKey, clientSecret, answer === "confirmed").catch(() => undefined);
        return "answered";
      },
    }),
    [publishableKey],
  );

  const register = (name: CardFieldName, box: HTMLInputElement | null) => {
    boxes.current[name] = box;
  };
  const common = { control, register, onEdit };
  return (
    <>
      <CardBox
        {...common}
        name="cardNumber"
        label="Card Number"
        autoComplete="cc-number"
        placeholder="1234 1234 1234 1234"
        format={formatCardNumber}
        getState={getCardNumberState}
      />
      <SimpleGrid cols={2} spacing="md">
        <CardBox
          {...common}
          name="expiryDate"
          label="Expiry Date"
          autoComplete="cc-exp"
          placeholder="MM/YY"
          format={formatExpiry}
          getState={getExpiryState}
        />
        <CardBox
          {...common}
          name="cvc"
          label="CVC"
          autoComplete="cc-csc"
          placeholder="123"
          format={formatCvc}
          getState={getCvcState}
        />
      </SimpleGrid>
      <BankQuestion question={question} />
    </>
  );
}

interface CardBoxProps extends Pick<CardFieldsProps, "control" | "onEdit"> {
  name: CardFieldName;
  label: string;
  autoComplete: "cc-number" | "cc-exp" | "cc-csc";
  placeholder: string;
  register: (name: CardFieldName, box: HTMLInputElement | null) => void;
  format: (text: string) => string;
  getState: (text: string) => string;
}

function CardBox(props: CardBoxProps) {
  const { control, name, label, autoComplete, placeholder, register, format, getState, onEdit } = props;
  const { frame, box } = useField({ control, name, label, autoComplete });
  const { ref, onChange, ...others } = box;

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { currentTarget: input } = event;
    const isAtEnd = (input.selectionStart ?? input.value.length) === input.value.length;
    const digitsBefore = getDigits(input.value.slice(0, input.selectionStart ?? 0)).length;
    input.value = format(input.value);
    const caret = isAtEnd ? input.value.length : getCaretAfterDigits(input.value, digitsBefore);
    input.setSelectionRange(caret, caret);
    onChange(getState(input.value));
    onEdit?.();
  }

  return (
    <TextInput
      {...frame}
      {...others}
      ref={(input) => {
        register(name, input);
        ref(input);
      }}
      inputMode="numeric"
      placeholder={placeholder}
      autoCorrect="off"
      spellCheck={false}
      defaultValue=""
      onChange={change}
    />
  );
}

type Answer = "confirmed" | "refused" | "abandoned";
interface Question {
  answer: (answer: Answer) => void;
}

function BankQuestion({ question }: { question: Question | null }) {
  return (
    <AppDialog
      opened={question !== null}
      title="Your bank asks you to confirm this payment"
      onClose={() => question?.answer("abandoned")}
    >
      <Text c="dimmed">This is the payment simulator's bank. Confirm to let the payment through, or refuse it.</Text>
      <DialogActions>
        <Button variant="default" onClick={() => question?.answer("refused")}>
          Refuse
        </Button>
        <Button data-autofocus onClick={() => question?.answer("confirmed")}>
          Confirm
        </Button>
      </DialogActions>
    </AppDialog>
  );
}

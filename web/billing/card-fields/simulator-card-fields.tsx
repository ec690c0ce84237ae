import { Button, SimpleGrid, Text, TextInput } from "@mantine/core";
import { type ChangeEvent, useImperativeHandle, useRef, useState } from "react";
import { AppDialog, DialogActions } from "#web/ui/confirm-dialog.tsx";
import { useField } from "#web/ui/form/use-field.tsx";
import type { CardFieldName, CardFieldsProps } from "./card-entry.ts";
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

type Boxes = Record<CardFieldName, HTMLInputElement | null>;

/** Our own card fields. The input stays in the boxes and is only sent to the payment simulator. */
export default function SimulatorCardFields({ source, control, ref, onEdit }: CardFieldsProps) {
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
        await submitBankDecision(publishableKey, clientSecret, answer === "confirmed");
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

/** The simulated bank's confirmation dialog. */
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

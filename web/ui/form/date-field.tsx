import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { cleanNumber, readTypedDay } from "#schema/clean-text.ts";
import { isDay } from "#schema/dates.ts";
import { type FieldProps, useTextualField } from "./use-field.tsx";

export interface DateFieldProps<TValues extends FieldValues> extends FieldProps<TValues> {
  /** Earliest and latest day in the calendar, `YYYY-MM-DD`. The form's rule validates typed dates. */
  min?: string;
  max?: string;
}

/**
 * A date field with a calendar, typed as DD/MM/YYYY or DDMMYYYY. The form value is `YYYY-MM-DD` for a complete date, and
 * otherwise the input, which the rule rejects.
 */
export function DateField<TValues extends FieldValues>(props: DateFieldProps<TValues>) {
  const { frame, box } = useTextualField(props);
  return <DayInput {...frame} {...box} min={props.min} max={props.max} />;
}

export interface DayInputProps extends Omit<TextInputProps, "value" | "onChange" | "onBlur" | "min" | "max"> {
  /** `YYYY-MM-DD` for a complete date, and otherwise the input. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Earliest and latest day in the calendar, `YYYY-MM-DD`. */
  min?: string | undefined;
  max?: string | undefined;
}

/** The input of a {@link DateField}, for dates outside of forms. */
export function DayInput({ value: held, onChange, onBlur, min, max, ...input }: DayInputProps) {
  const [typed, setTyped] = useState({ text: toDisplayed(held), value: held });
  const calendar = useRef<HTMLInputElement>(null);
  // The form was reset or filled from elsewhere.
  const text = typed.value === held ? typed.text : toDisplayed(held);

  const take = (text: string, next: string) => {
    setTyped({ text, value: next });
    onChange(next);
  };

  return (
    <TextInput
      {...input}
      inputMode="numeric"
      placeholder="DD/MM/YYYY"
      // Windows copies dates with an invisible mark before each number.
      maxLength={20}
      autoComplete="off"
      value={text}
      onChange={(event) => take(event.currentTarget.value, toStored(event.currentTarget.value))}
      onBlur={() => {
        setTyped({ text: toDisplayed(held), value: held });
        onBlur?.();
      }}
      rightSection={
        <>
          <input
            ref={calendar}
            // Only opens the browser's calendar, in place of the native button.
            style={{ position: "absolute", inset: 0, opacity: 0, pointerEvents: "none" }}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            min={min}
            max={max}
            disabled={input.disabled}
            value={isDay(held) ? held : ""}
            onChange={(event) => take(toDisplayed(event.currentTarget.value), event.currentTarget.value)}
          />
          <ActionIcon
            variant="subtle"
            aria-label="Open calendar"
            disabled={input.disabled}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={18} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </>
      }
    />
  );
}

/** Converts `2026-03-05` to `05/03/2026`. Returns anything else unchanged. */
function toDisplayed(value: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? [];
  return year ? `${day}/${month}/${year}` : value;
}

/**
 * Converts `5/3/2026` to `2026-03-05`, and `05032026`, because the number pad of phones has no slash. Reads only the day of a
 * time such as `2026-03-05T23:59:59Z`, which our reports write. Returns anything else unchanged.
 */
function toStored(text: string): string {
  const parts = cleanNumber(text).replace(/^(\d\d)(\d\d)(\d{4})$/, "$1/$2/$3");
  const [iso] = /^\d{4}-\d\d-\d\d(?=[t ]\d\d:)/i.exec(parts) ?? [];
  return iso ?? readTypedDay(parts) ?? text;
}

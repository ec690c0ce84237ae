import { IconCalendar } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, Frame, useField } from "./fields.tsx";
import classes from "./form.module.css";

export interface DateFieldProps<TValues extends FieldValues> extends FieldProps<TValues> {
  /** Earliest and latest day that the calendar offers, `YYYY-MM-DD`; what is typed is the rule's to judge. */
  min?: string;
  max?: string;
}

/**
 * A day, typed as DD/MM/YYYY or chosen in the browser's calendar. The form holds `YYYY-MM-DD` once a day is typed
 * whole, and until then what was typed, which the rule refuses.
 */
export function DateField<TValues extends FieldValues>(props: DateFieldProps<TValues>) {
  const { value, frame, box } = useField(props);
  const { onChange, onBlur, ...others } = box;
  const held = typeof value === "string" ? value : "";
  const [typed, setTyped] = useState({ text: displayed(held), value: held });
  const calendar = useRef<HTMLInputElement>(null);
  // The form was reset or filled from elsewhere.
  const text = typed.value === held ? typed.text : displayed(held);

  const take = (words: string, next: string) => {
    setTyped({ text: words, value: next });
    onChange(next);
  };

  return (
    <Frame {...frame}>
      <div className={classes.adorned}>
        <input
          {...others}
          className={classes.box}
          type="text"
          inputMode="numeric"
          placeholder="DD/MM/YYYY"
          maxLength={10}
          autoComplete="off"
          value={text}
          onChange={(event) => take(event.currentTarget.value, stored(event.currentTarget.value))}
          onBlur={() => {
            setTyped({ text: displayed(held), value: held });
            onBlur();
          }}
        />
        <input
          ref={calendar}
          className={classes.calendar}
          type="date"
          tabIndex={-1}
          aria-hidden="true"
          min={props.min}
          max={props.max}
          disabled={props.disabled}
          value={isDay(held) ? held : ""}
          onChange={(event) => take(displayed(event.currentTarget.value), event.currentTarget.value)}
        />
        <button
          type="button"
          className={classes.reveal}
          aria-label="Open Calendar"
          disabled={props.disabled}
          onClick={() => calendar.current?.showPicker()}
        >
          <IconCalendar size={18} stroke={1.8} aria-hidden="true" />
        </button>
      </div>
    </Frame>
  );
}

/** Whether the calendar knows the day; browsers complain of 30 February. */
function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const midnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(value);
}

/** `2026-03-05` as `05/03/2026`; anything else as it is. */
function displayed(value: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? [];
  return year ? `${day}/${month}/${year}` : value;
}

/** `5/3/2026` as `2026-03-05`; anything else as it is. */
function stored(text: string): string {
  const [, day = "", month = "", year] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/.exec(text) ?? [];
  return year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : text;
}

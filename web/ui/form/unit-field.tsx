import type { FieldValues } from "react-hook-form";
import { type FieldProps, Frame, useField } from "./fields.tsx";
import classes from "./form.module.css";

export interface UnitFieldProps<TValues extends FieldValues> extends FieldProps<TValues> {
  /** Shown at the end of the box: `%`, `AUD`. */
  unit: string;
  /** Formats the input when the field loses the focus. */
  tidy?: (typed: string) => string;
}

/** A number with its unit. */
export function UnitField<TValues extends FieldValues>(props: UnitFieldProps<TValues>) {
  const { unit, tidy } = props;
  const { value, frame, box } = useField(props);
  const { onChange, onBlur, ...others } = box;
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return (
    <Frame {...frame}>
      <div className={classes.adorned}>
        <input
          {...others}
          className={classes.box}
          data-figure
          type="text"
          inputMode="decimal"
          maxLength={30}
          autoComplete="off"
          spellCheck={false}
          value={text}
          aria-describedby={[`${frame.id}-unit`, others["aria-describedby"]].filter(Boolean).join(" ")}
          onChange={onChange}
          onBlur={() => {
            const tidied = tidy ? tidy(text) : text;
            if (tidied !== text) onChange(tidied);
            onBlur();
          }}
        />
        <span id={`${frame.id}-unit`} className={classes.unit}>
          {unit}
        </span>
      </div>
    </Frame>
  );
}

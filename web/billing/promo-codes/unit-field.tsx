import { TextInput } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, useTextualField } from "#web/ui/form/use-field.tsx";
import classes from "#web/ui/form/form.module.css";

interface UnitFieldProps<TValues extends FieldValues> extends Omit<FieldProps<TValues>, "optional" | "hint"> {
  /** Shown at the end of the box: `%`, `AUD`. */
  unit: string;
  /** Formats the input when the field loses the focus. */
  tidy?: (typed: string) => string;
}

/** A number with its unit. */
export function UnitField<TValues extends FieldValues>({ unit, tidy, ...props }: UnitFieldProps<TValues>) {
  const { frame, box } = useTextualField({ ...props, hint: unit });
  const { value, onChange, onBlur } = box;
  return (
    <TextInput
      {...frame}
      {...box}
      inputMode="decimal"
      maxLength={30}
      autoComplete="off"
      spellCheck={false}
      classNames={{ description: classes.unit }}
      onBlur={() => {
        const tidied = tidy ? tidy(value) : value;
        if (tidied !== value) onChange(tidied);
        onBlur();
      }}
    />
  );
}

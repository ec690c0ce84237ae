import { TextInput } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, useTextualField } from "#web/ui/form/use-field.tsx";
import classes from "#web/ui/form/form.module.css";
import { formatTypedAmount } from "./format-discount.ts";

interface UnitFieldProps<TValues extends FieldValues> extends Omit<FieldProps<TValues>, "optional" | "hint"> {
  /** Shown at the end of the box. */
  unit: "%" | "AUD";
}

/** A number with its unit. An amount is formatted when the field loses the focus. */
export function UnitField<TValues extends FieldValues>({ unit, ...props }: UnitFieldProps<TValues>) {
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
        const formatted = unit === "AUD" ? formatTypedAmount(value) : value;
        if (formatted !== value) onChange(formatted);
        onBlur();
      }}
    />
  );
}

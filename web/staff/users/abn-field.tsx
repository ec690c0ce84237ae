import type { FieldValues } from "react-hook-form";
import { type FieldProps, Frame, useField } from "#web/ui/form/fields.tsx";
import formClasses from "#web/ui/form/form.module.css";

/** `99 999 999 999` as far as digits were typed. */
export function maskedAbn(typed: string): string {
  const digits = typed.replace(/\D/g, "").slice(0, 11);
  return [digits.slice(0, 2), digits.slice(2, 5), digits.slice(5, 8), digits.slice(8)].filter(Boolean).join(" ");
}

/** An Australian business number; the mask fills itself in, and leaves alone who mends it in the middle. */
export function AbnField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { value, frame, box } = useField({ ...props, optional: true, hint: "11 digits" });
  const shown = typeof value === "string" ? value : "";
  return (
    <Frame {...frame}>
      <input
        {...box}
        className={formClasses.box}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={shown}
        onChange={({ currentTarget: { value: typed, selectionEnd } }) =>
          box.onChange(selectionEnd === typed.length && typed.length > shown.length ? maskedAbn(typed) : typed)
        }
        onBlur={() => {
          if (/^[\d\s.-]+$/.test(shown)) box.onChange(maskedAbn(shown));
          box.onBlur();
        }}
      />
    </Frame>
  );
}

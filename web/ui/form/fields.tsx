import "./field-styles.ts";
import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from "@mantine/core";
import { type HTMLInputAutoCompleteAttribute, type ReactNode, useState } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import classes from "./form.module.css";

/** What every field is told: its place in the form and its visible label with the wording of the specification. */
export interface FieldProps<TValues extends FieldValues> {
  control: Control<TValues>;
  name: FieldPath<TValues>;
  label: string;
  /** Says `Optional` beside the label; all other fields are required. */
  optional?: boolean;
  /** A hint under the label, read out with the field. */
  hint?: ReactNode;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  disabled?: boolean;
}

/** What Mantine's inputs share: value, tied error text, label, and no star, which would change the label's words. */
function useField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { control, name, label, optional = false, hint, autoComplete, disabled } = props;
  const { field, fieldState } = useController({ control, name });
  const { value, ref, ...handlers } = field;
  const error = fieldState.error?.message;
  return {
    value: value as unknown,
    input: {
      ...handlers,
      ref,
      label,
      error,
      autoComplete,
      disabled,
      withAsterisk: false,
      required: !optional,
      "aria-invalid": error === undefined ? undefined : (true as const),
      description: optional ? <span className={classes.optional}>Optional{hint ? <> · {hint}</> : null}</span> : hint,
      classNames: { root: classes.field, label: classes.label, description: classes.hint, error: classes.error },
    },
  };
}

export interface TextFieldProps<TValues extends FieldValues> extends FieldProps<TValues> {
  type?: "text" | "email" | "tel" | "url";
  inputMode?: "text" | "email" | "tel" | "numeric" | "decimal";
  maxLength?: number;
  placeholder?: string;
  autoFocus?: boolean;
}

/** One line of text. */
export function TextField<TValues extends FieldValues>(props: TextFieldProps<TValues>) {
  const { type = "text", inputMode, maxLength, placeholder, autoFocus } = props;
  const { value, input } = useField(props);
  return (
    <TextInput
      {...input}
      {...{ type, inputMode, maxLength, placeholder }}
      data-autofocus={autoFocus || undefined}
      value={text(value)}
      spellCheck={type === "text" ? undefined : false}
      autoCapitalize={type === "email" ? "none" : undefined}
    />
  );
}

/** An email address, with the keyboard and filling-in that belong to it. */
export function EmailField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="email" {...props} type="email" inputMode="email" />;
}

/** A telephone number. */
export function PhoneField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="tel" {...props} type="tel" inputMode="tel" />;
}

/** Several lines of text. */
export function TextAreaField<TValues extends FieldValues>(props: FieldProps<TValues> & { rows?: number }) {
  const { value, input } = useField(props);
  return <Textarea {...input} rows={props.rows ?? 5} value={text(value)} />;
}

/** A password with a button that shows what was typed. */
export function PasswordField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { autoComplete: "current-password" | "new-password" },
) {
  const { value, input } = useField(props);
  const [visible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...input}
      value={text(value)}
      visible={visible}
      classNames={{ ...input.classNames, input: classes.passwordBox }}
      rightSectionWidth={64}
      rightSectionPointerEvents="all"
      rightSection={
        <button
          type="button"
          className={classes.reveal}
          aria-pressed={visible}
          disabled={props.disabled}
          onClick={() => setVisible(!visible)}
        >
          {visible ? "Hide" : "Show"}
        </button>
      }
    />
  );
}

/** An option of a select: its value and the words people read; a bare string is both. */
export type SelectOption = string | { value: string; label: string };

/** One of several, as the browser's own select. `placeholder` is the words while nothing is chosen. */
export function SelectField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { options: readonly SelectOption[]; placeholder?: string },
) {
  const { options, placeholder } = props;
  const { value, input } = useField(props);
  const empty = placeholder === undefined ? [] : [{ value: "", label: placeholder }];
  return <NativeSelect {...input} value={text(value)} data={[...empty, ...options]} />;
}

/** Yes or no. */
export function CheckboxField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { control, name, label, hint, disabled } = props;
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, ...handlers } = field;
  const error = fieldState.error?.message;
  return (
    <Checkbox
      {...handlers}
      {...{ label, error, disabled }}
      description={hint}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
      aria-invalid={error === undefined ? undefined : true}
      classNames={{ root: classes.checkbox, label: classes.checkboxLabel, error: classes.error }}
    />
  );
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

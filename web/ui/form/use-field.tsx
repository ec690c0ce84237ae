import type { HTMLInputAutoCompleteAttribute, KeyboardEvent, ReactNode } from "react";
import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import type { Field, Fields } from "#schema/field.ts";
import classes from "./form.module.css";

/** Props of every field. */
export interface FieldProps<TValues extends FieldValues> {
  control: Control<TValues>;
  name: FieldPath<TValues>;
  label: string;
  /** Shows `Optional` next to the label; all other fields are required. `unsaid` if no field of the form is required. */
  optional?: boolean | "unsaid";
  /** A hint under the label, announced with the field. */
  hint?: ReactNode;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  disabled?: boolean;
}

export interface TextFieldProps<TValues extends FieldValues> extends FieldProps<TValues> {
  type?: "text" | "email" | "tel" | "url";
  inputMode?: "text" | "email" | "tel" | "numeric" | "decimal";
  maxLength?: number;
  placeholder?: string;
  /** Gets the focus when its dialog opens. */
  focusFirst?: boolean;
  /** Uses wide letters and tabular figures, for codes. */
  isCode?: boolean;
  /** Called on Enter instead of submitting the form. */
  onEnter?: () => void;
}

export type TextAreaFieldProps<TValues extends FieldValues> = FieldProps<TValues> & {
  rows?: number;
  focusFirst?: boolean;
};

export type PasswordFieldProps<TValues extends FieldValues> = FieldProps<TValues> & {
  autoComplete: "current-password" | "new-password";
};

/** An option of a select, such as an entry of a closed list: value and label, or a string for both. */
export type SelectOption = string | { readonly value: number | string; readonly label: string };

/** Props of a select. `placeholder` is shown while no option is selected. */
export type SelectFieldProps<TValues extends FieldValues> = FieldProps<TValues> & {
  options: readonly SelectOption[];
  placeholder?: string;
};

/** Returns a function with the props that a noun's declaration of fields gives a field of a form: its place and its label. */
export function bindFields<TFields extends Fields, TValues extends FieldValues>(
  fields: TFields,
  control: Control<TValues>,
) {
  return (name: keyof TFields & FieldPath<TValues>) => ({ control, name, label: (fields[name] as Field).label });
}

/** Returns what all fields share: the value, the texts around the input, and the input's props with the ids of those texts. */
export function useField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { control, name, label, optional = false, hint, autoComplete, disabled } = props;
  const { field, fieldState } = useController({ control, name });
  const { value, ...handlers } = field;
  const id = useId();
  const error = fieldState.error?.message;
  const description =
    optional === true ? <span className={classes.optional}>Optional{hint ? <> · {hint}</> : null}</span> : hint;
  const described = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    value: value as unknown,
    frame: { label, description, error },
    box: {
      ...handlers,
      id,
      disabled,
      required: !optional,
      autoComplete,
      "aria-invalid": error === undefined ? undefined : (true as const),
      "aria-describedby": described || undefined,
    },
  };
}

/** Returns {@link useField} for an input whose value is a text. */
export function useTextualField<TValues extends FieldValues>(props: FieldProps<TValues> & { focusFirst?: boolean }) {
  const { value, frame, box } = useField(props);
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return { frame, box: { ...box, value: text, "data-autofocus": props.focusFirst || undefined } };
}

/** Returns {@link useField} for an input of one line. */
export function useTextField<TValues extends FieldValues>(props: TextFieldProps<TValues>) {
  const { type = "text", inputMode, maxLength, placeholder, isCode, onEnter } = props;
  const { frame, box } = useTextualField(props);
  return {
    frame,
    box: {
      ...box,
      type,
      inputMode,
      maxLength,
      placeholder,
      "data-code": isCode || undefined,
      spellCheck: type === "text" && !isCode ? undefined : false,
      autoCapitalize: type === "email" ? "none" : undefined,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" || !onEnter) return;
        event.preventDefault();
        onEnter();
      },
    },
  };
}

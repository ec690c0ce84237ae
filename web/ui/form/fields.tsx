import { IconSelector } from "@tabler/icons-react";
import { type HTMLInputAutoCompleteAttribute, type ReactNode, useId, useState } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import classes from "./form.module.css";

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

/** Returns what all fields share: value, handlers, and ids that connect hint and error to the input. */
export function useField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { control, name, label, optional = false, hint, autoComplete, disabled } = props;
  const { field, fieldState } = useController({ control, name });
  const { value, ...handlers } = field;
  const id = useId();
  const error = fieldState.error?.message;
  const shownHint =
    optional === true ? <span className={classes.optional}>Optional{hint ? <> · {hint}</> : null}</span> : hint;
  const described = [shownHint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return {
    value: value as unknown,
    frame: { id, label, hint: shownHint, error },
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

interface FrameProps {
  id: string;
  label: string;
  hint: ReactNode;
  error: string | undefined;
}

/** Label, hint and error message around an input. */
export function Frame({ id, label, hint, error, children }: FrameProps & { children: ReactNode }) {
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <div id={`${id}-hint`} className={classes.hint}>
          {hint}
        </div>
      )}
      {children}
      <Message id={id} error={error} />
    </div>
  );
}

function Message({ id, error }: Pick<FrameProps, "id" | "error">) {
  if (error === undefined) return null;
  return (
    <p id={`${id}-error`} className={classes.error}>
      {error}
    </p>
  );
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

export function TextField<TValues extends FieldValues>(props: TextFieldProps<TValues>) {
  const { type = "text", inputMode, maxLength, placeholder, focusFirst, isCode, onEnter } = props;
  const { value, frame, box } = useField(props);
  return (
    <Frame {...frame}>
      <input
        {...box}
        {...{ type, inputMode, maxLength, placeholder }}
        className={classes.box}
        data-autofocus={focusFirst || undefined}
        data-code={isCode || undefined}
        value={text(value)}
        spellCheck={type === "text" && !isCode ? undefined : false}
        autoCapitalize={type === "email" ? "none" : undefined}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !onEnter) return;
          event.preventDefault();
          onEnter();
        }}
      />
    </Frame>
  );
}

export function EmailField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="email" {...props} type="email" inputMode="email" />;
}

export function PhoneField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="tel" {...props} type="tel" inputMode="tel" />;
}

export function TextAreaField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { rows?: number; focusFirst?: boolean },
) {
  const { value, frame, box } = useField(props);
  return (
    <Frame {...frame}>
      <textarea
        {...box}
        className={classes.box}
        data-autofocus={props.focusFirst || undefined}
        rows={props.rows ?? 5}
        value={text(value)}
      />
    </Frame>
  );
}

/** A password field with a button that shows the password. */
export function PasswordField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { autoComplete: "current-password" | "new-password" },
) {
  const { value, frame, box } = useField(props);
  const [visible, setVisible] = useState(false);
  return (
    <Frame {...frame}>
      <div className={classes.adorned}>
        <input
          {...box}
          type={visible ? "text" : "password"}
          className={classes.box}
          value={text(value)}
          spellCheck={false}
          autoCapitalize="none"
        />
        <button
          type="button"
          className={classes.reveal}
          aria-pressed={visible}
          disabled={props.disabled}
          onClick={() => setVisible(!visible)}
        >
          {visible ? "Hide" : "Show"}
        </button>
      </div>
    </Frame>
  );
}

/** An option of a select: value and label, or a string for both. */
export type SelectOption = string | { value: string; label: string };

/** A native select. `placeholder` is shown while no option is selected. */
export function SelectField<TValues extends FieldValues>(
  props: FieldProps<TValues> & { options: readonly SelectOption[]; placeholder?: string },
) {
  const { options, placeholder } = props;
  const { value, frame, box } = useField(props);
  return (
    <Frame {...frame}>
      <div className={classes.adorned}>
        <select {...box} className={classes.box} value={text(value)}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => {
            const { value: chosen, label } = typeof option === "string" ? { value: option, label: option } : option;
            return (
              <option key={chosen} value={chosen}>
                {label}
              </option>
            );
          })}
        </select>
        <IconSelector className={classes.chevron} size={18} stroke={1.8} aria-hidden="true" />
      </div>
    </Frame>
  );
}

export function CheckboxField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { value, frame, box } = useField({ ...props, optional: false });
  const { onChange, required: _, autoComplete: __, ...others } = box;
  const { id, label, hint, error } = frame;
  return (
    <div className={classes.checkbox}>
      <input
        {...others}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <div id={`${id}-hint`} className={classes.hint}>
          {hint}
        </div>
      )}
      <Message id={id} error={error} />
    </div>
  );
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

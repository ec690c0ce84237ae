import { IconSelector } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { Button } from "#web/ui/button.tsx";
import formClasses from "./form.module.css";
import {
  type FieldProps,
  type PasswordFieldProps,
  type SelectFieldProps,
  type TextAreaFieldProps,
  type TextFieldProps,
  useField,
  useTextField,
  useTextualField,
} from "./use-field.tsx";
import classes from "./native-fields.module.css";

// The fields of ui/form/fields.tsx for public pages, which don't load Mantine.

type FrameProps = { id: string } & ReturnType<typeof useField>["frame"];

/** Label, hint and error message around an input. */
function Frame({ id, label, description, error, children }: FrameProps & { children: ReactNode }) {
  return (
    <div className={formClasses.field}>
      <label className={formClasses.label} htmlFor={id}>
        {label}
      </label>
      <Texts {...{ id, description, error }}>{children}</Texts>
    </div>
  );
}

function Texts({ id, description, error, children }: Omit<FrameProps, "label"> & { children?: ReactNode }) {
  return (
    <>
      {description && (
        <div id={`${id}-description`} className={formClasses.hint}>
          {description}
        </div>
      )}
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} className={formClasses.error}>
          {error}
        </p>
      )}
    </>
  );
}

export function TextField<TValues extends FieldValues>(props: TextFieldProps<TValues>) {
  const { frame, box } = useTextField(props);
  return (
    <Frame {...frame} id={box.id}>
      <input {...box} className={classes.box} />
    </Frame>
  );
}

export function EmailField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="email" {...props} type="email" inputMode="email" />;
}

export function PhoneField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="tel" {...props} type="tel" inputMode="tel" />;
}

export function TextAreaField<TValues extends FieldValues>(props: TextAreaFieldProps<TValues>) {
  const { frame, box } = useTextualField(props);
  return (
    <Frame {...frame} id={box.id}>
      <textarea {...box} className={classes.box} rows={props.rows ?? 5} />
    </Frame>
  );
}

/** A password field with a button that shows the password. */
export function PasswordField<TValues extends FieldValues>(props: PasswordFieldProps<TValues>) {
  const { frame, box } = useTextualField(props);
  const [visible, setVisible] = useState(false);
  return (
    <Frame {...frame} id={box.id}>
      <div className={classes.adorned}>
        <input
          {...box}
          type={visible ? "text" : "password"}
          className={classes.box}
          spellCheck={false}
          autoCapitalize="none"
        />
        <Button
          variant="subtle"
          size="xs"
          style={{ position: "absolute", insetBlock: "0.375rem", insetInlineEnd: "0.375rem", minHeight: 0 }}
          disabled={props.disabled}
          onClick={() => setVisible(!visible)}
        >
          {visible ? "Hide" : "Show"}
        </Button>
      </div>
    </Frame>
  );
}

export function SelectField<TValues extends FieldValues>(props: SelectFieldProps<TValues>) {
  const { options, placeholder } = props;
  const { frame, box } = useTextualField(props);
  return (
    <Frame {...frame} id={box.id}>
      <div className={classes.adorned}>
        <select {...box} className={classes.box}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => {
            const { value, label } = typeof option === "string" ? { value: option, label: option } : option;
            return (
              <option key={value} value={value}>
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
  const { label, ...texts } = frame;
  return (
    <div className={classes.checkbox}>
      <input
        {...others}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={box.id}>{label}</label>
      <Texts {...texts} id={box.id} />
    </div>
  );
}

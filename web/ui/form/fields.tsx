import { Button, Checkbox, NativeSelect, PasswordInput, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { FieldValues } from "react-hook-form";
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

export function TextField<TValues extends FieldValues>(props: TextFieldProps<TValues>) {
  const { frame, box } = useTextField(props);
  return <TextInput {...frame} {...box} />;
}

export function EmailField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="email" {...props} type="email" inputMode="email" />;
}

export function PhoneField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  return <TextField autoComplete="tel" {...props} type="tel" inputMode="tel" />;
}

export function TextAreaField<TValues extends FieldValues>(props: TextAreaFieldProps<TValues>) {
  const { frame, box } = useTextualField(props);
  return <Textarea {...frame} {...box} rows={props.rows ?? 5} resize="vertical" />;
}

/** A password field with a button that shows the password. */
export function PasswordField<TValues extends FieldValues>(props: PasswordFieldProps<TValues>) {
  const { frame, box } = useTextualField(props);
  const [visible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...frame}
      {...box}
      spellCheck={false}
      autoCapitalize="none"
      visible={visible}
      rightSectionWidth="4.25rem"
      rightSection={
        <Button variant="subtle" size="compact-sm" disabled={props.disabled} onClick={() => setVisible(!visible)}>
          {visible ? "Hide" : "Show"}
        </Button>
      }
    />
  );
}

export function SelectField<TValues extends FieldValues>(props: SelectFieldProps<TValues>) {
  const { options, placeholder } = props;
  const { frame, box } = useTextualField(props);
  const none = placeholder === undefined ? [] : [{ value: "", label: placeholder }];
  const data = [...none, ...options].map((option) =>
    typeof option === "string" ? option : { value: String(option.value), label: option.label },
  );
  return <NativeSelect {...frame} {...box} data={data} />;
}

/** Checkboxes whose value is the list of the ticked options. */
export function CheckboxesField<TValues extends FieldValues>({
  options,
  ...props
}: FieldProps<TValues> & { options: readonly { value: string; label: string }[] }) {
  const { value, frame, box } = useField(props);
  const { id, onChange, onBlur, disabled } = box;
  // A form focuses the first invalid field, which a group can't be.
  const state = { "aria-invalid": box["aria-invalid"], "aria-describedby": box["aria-describedby"] };
  return (
    <Checkbox.Group {...frame} id={id} value={Array.isArray(value) ? (value as string[]) : []} onChange={onChange}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
        {options.map((option) => (
          <Checkbox key={option.value} {...option} {...state} disabled={disabled} onBlur={onBlur} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

export function CheckboxField<TValues extends FieldValues>(props: FieldProps<TValues>) {
  const { value, frame, box } = useField({ ...props, optional: false });
  const { onChange, required: _, autoComplete: __, "aria-describedby": ___, ...others } = box;
  return (
    <Checkbox
      {...frame}
      {...others}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

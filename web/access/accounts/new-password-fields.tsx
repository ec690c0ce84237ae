import type { Control, FieldPath, FieldValues } from "react-hook-form";
import type * as fields from "#web/ui/form/fields.tsx";

interface Fields extends FieldValues {
  password: string;
  confirmPassword: string;
}

/** Fields for a new password and its confirmation. */
export function NewPasswordFields<TValues extends Fields>(props: {
  control: Control<TValues>;
  /** The field of public or of signed-in forms. */
  PasswordField: typeof fields.PasswordField;
  label?: string;
}) {
  const { control, PasswordField, label = "New password" } = props;
  const field = (name: keyof Fields & string) => ({ control, name: name as FieldPath<TValues> });
  return (
    <>
      <PasswordField
        {...field("password")}
        label={label}
        hint="At least 8 characters, including a number."
        autoComplete="new-password"
      />
      <PasswordField {...field("confirmPassword")} label="Confirm password" autoComplete="new-password" />
    </>
  );
}

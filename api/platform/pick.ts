/** Returns some fields of an object. */
export const pick = <Value extends object, Field extends keyof Value>(
  value: Value,
  ...fields: Field[]
): Pick<Value, Field> => Object.fromEntries(fields.map((field) => [field, value[field]])) as Pick<Value, Field>;

import { useState } from "react";

/** The value, or while there is none the last one: what a dialog still shows as it closes. */
export function useLast<TValue>(value: TValue | null): TValue | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

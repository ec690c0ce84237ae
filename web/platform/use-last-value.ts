import { useState } from "react";

/** Returns the value, or the last value while it is null, for a dialog that still shows it during its closing transition. */
export function useLastValue<TValue>(value: TValue | null): TValue | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

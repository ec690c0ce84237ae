interface Seat {
  readonly expiresAt: string;
  readonly borrowedUntil: string | null;
}

/** Returns whether a seat ends when its borrowing ends. Heartbeats keep it for longer as an ordinary seat. */
export function isBorrowed({ expiresAt, borrowedUntil }: Seat): boolean {
  return borrowedUntil !== null && expiresAt <= borrowedUntil;
}

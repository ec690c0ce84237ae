/**
 * End of a period that begins at `start`: the same day and time a month or a year later, or the last day of a shorter
 * month, as the payment provider reckons it. UTC.
 */
export function periodAfter(start: Date, interval: "monthly" | "yearly"): Date {
  const end = new Date(start);
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + (interval === "yearly" ? 12 : 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end;
}

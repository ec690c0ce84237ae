/** Returns an SQL condition: the device keeps going back to earlier hardware, as a machine and its clone do. */
export const isCloned = (device: string, now: string): string =>
  `${device}.alternations >= 2 and ${device}.freed_at is null and ${device}.alternated_at > ${now}::timestamptz - interval '30 days'`;

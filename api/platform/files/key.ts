const keyShape = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;

/** Refuses what is no key of a stored file. @throws Error */
export function checkKey(key: string): string {
  if (!keyShape.test(key)) throw new Error("not a key of a stored file");
  return key;
}

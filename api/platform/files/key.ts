const keyShape = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;

/** Whether a name may be that of a stored file; what others put beside ours may have any. */
export function isKey(name: string): boolean {
  return keyShape.test(name);
}

/** Refuses what is no key of a stored file. @throws Error */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error("not a key of a stored file");
  return key;
}

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. An id that is none is answered like an unknown one, before the database is asked. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && shape.test(text);
}

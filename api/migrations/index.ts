import type { Migration } from "@mikro-orm/migrations";
import { Migration0001 } from "./0001-foundation.ts";
import { Migration0004 } from "./0004-contact-messages.ts";

/** Every migration in order; listed by hand so that bundling keeps them. */
export const migrations: {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}[] = [
  { name: "0001-foundation", class: Migration0001 },
  { name: "0004-contact-messages", class: Migration0004 },
];

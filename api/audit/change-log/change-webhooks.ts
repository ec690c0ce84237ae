import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { createSlot } from "#api/platform/slots.ts";

/** A change of a user, a contact or a build that others may have to know. */
export type AnnouncedChange =
  | { readonly kind: "user.created" | "user.archived" | "user.restored" | "user.erased"; readonly userId: string }
  | { readonly kind: "user.changed"; readonly userId: string; readonly fields: readonly string[] }
  | { readonly kind: "contact.created" | "contact.deleted"; readonly userId: string; readonly contactId: string }
  | {
      readonly kind: "contact.changed";
      readonly userId: string;
      readonly contactId: string;
      readonly fields: readonly string[];
    }
  | { readonly kind: "build.published"; readonly build: { readonly id: string; readonly name: string } };

/** Records webhook events for changes, in the transaction of `em`. The webhooks area provides it. */
export const changeWebhooks =
  createSlot<(context: Context, em: EntityManager, changes: readonly AnnouncedChange[]) => Promise<void>>(
    "webhook events for changes",
  );

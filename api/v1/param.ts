import { exampleIds } from "./examples.ts";
import type { Param } from "./frame.ts";

/** What the names in addresses stand for; the same words wherever a name means the same. */
export const param = {
  user: { description: "Id of the user, as registration and the list of users give it", example: exampleIds.user },
  self: { description: "Id of the signed-in user; an admin's may be anybody's", example: exampleIds.user },
  licence: { description: "Id of the licence, not its code", example: exampleIds.licence },
  device: {
    description: "`tempId` of the device, as the list of a licence's devices gives it",
    example: exampleIds.device,
  },
  contact: { description: "Id of the contact, as the user has it under `contacts`", example: exampleIds.other },
  handle: {
    description: "Handle of the registration's confirmation page, which registering answers",
    example: exampleIds.other,
  },
  price: { description: "Id of a price of a plan", example: "xer-professional-yearly" },
  promoCode: { description: "Id of the promo code, not its words", example: exampleIds.other },
  taxInvoice: { description: "Id of the tax invoice or adjustment note, not its number", example: exampleIds.other },
  bulkRun: { description: "Id of the run, which taking its file answered", example: exampleIds.other },
  email: { description: "Email address of the account", example: "ada@example.com" },
} as const satisfies Record<string, Param>;

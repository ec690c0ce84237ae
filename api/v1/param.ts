import { exampleIds } from "./examples.ts";
import type { Param } from "./define-route.ts";

/** Path and query parameters that several calls share. */
export const param = {
  user: { description: "Id of the user, as in the list of users", example: exampleIds.user },
  self: { description: "Id of the signed-in user. Admins can use the id of any user", example: exampleIds.user },
  licence: { description: "Id of the licence (not the licence code)", example: exampleIds.licence },
  device: {
    description: "`tempId` of the device, as in the list of a licence's devices",
    example: exampleIds.device,
  },
  contact: { description: "Id of the contact, as in `contacts` of the user", example: exampleIds.other },
  handle: {
    description: "Handle of the confirmation page, as returned by the registration",
    example: exampleIds.other,
  },
  price: { description: "Id of the plan price", example: "xer-professional-yearly" },
  promoCode: { description: "Id of the promo code (not the code itself)", example: exampleIds.other },
  taxInvoice: { description: "Id of the tax invoice or adjustment note (not its number)", example: exampleIds.other },
  bulkRun: { description: "Id of the run, as returned by the upload", example: exampleIds.other },
  email: { description: "Email address of the account", example: "ada@example.com" },
} as const satisfies Record<string, Param>;

import { getExample } from "#schema/field.ts";
import { addLicenceBodyRules, licenceFields, updateLicenceRules } from "#schema/licence.ts";
import { addLicence } from "#api/licensing/licences/add-licence.ts";
import { deactivateLicence } from "#api/licensing/licences/deactivate-licence.ts";
import { updateLicence } from "#api/licensing/licences/update-licence.ts";
import { id } from "#api/platform/http/json-types.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Licences";
const example = getExample(licenceFields);
const { expiryDate, licenceCategory, purchaseOrderNumber, projectTerm } = example;

/** Calls for managing a customer's licences. */
export const adminLicenceRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/admin/licence",
    operation: "Mutation.addLicence",
    tag,
    summary:
      "Create a licence for a customer. Returns the licence's id, or 409 for admins and for archived or deleted users",
    body: addLicenceBodyRules,
    bodyExample: { userId: exampleIds.user, ...example },
    errors: ["CONFLICT", "NOT_FOUND"],
    response: id,
    example: exampleIds.licence,
    handler: async ({ context, body: { userId, ...values } }) => (await addLicence(context, userId, values)).id,
  }),
  defineRoute({
    method: "PUT",
    url: "/v1/admin/licence/:userId/:licenceId",
    params: { userId: param.user, licenceId: param.licence },
    operation: "Mutation.updateLicence",
    tag,
    summary:
      "Update a licence. Changes the expiry, category, purchase order number and project term, and the conversions of a trial (`usageLimit`). Returns 409 if the licence is deactivated",
    body: updateLicenceRules,
    bodyExample: { expiryDate, licenceCategory, purchaseOrderNumber, projectTerm },
    errors: ["CONFLICT"],
    handler: async ({ context, params, body }) => {
      await updateLicence(context, params.userId ?? "", params.licenceId ?? "", body);
    },
  }),
  defineRoute({
    method: "DELETE",
    url: "/v1/admin/licence/:userId/:licenceId",
    params: { userId: param.user, licenceId: param.licence },
    operation: "Mutation.deactivateLicence",
    tag,
    summary: "Deactivate a licence. Also ends the licence's active subscription. Repeating the call changes nothing",
    errors: ["CONFLICT"],
    handler: async ({ context, params }) => {
      await deactivateLicence(context, params.userId ?? "", params.licenceId ?? "");
    },
  }),
];

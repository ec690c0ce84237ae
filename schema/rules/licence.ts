import { type InferType, object } from "yup";
import { rulesOf } from "#schema/fields/field.ts";
import { licenceFields } from "#schema/fields/licence.ts";
import { line } from "./text.ts";

/**
 * A new licence: the admin's form, GraphQL and REST. What the form does not show has its default. Beside what the form
 * offers, the api takes activation type 1 with 1 to 24 lease hours, and for the others hours of borrowing.
 */
export const addLicenceRules = object(rulesOf(licenceFields));
export type AddLicenceValues = InferType<typeof addLicenceRules>;

/** What of a licence is changed later. A project licence is held to {@link updateProjectLicenceRules}. */
export const updateLicenceRules = addLicenceRules
  .pick(["licenceCategory", "expiryDate", "purchaseOrderNumber"])
  .shape({ projectTerm: line(100) });
export type UpdateLicenceValues = InferType<typeof updateLicenceRules>;

/** The same for a licence of type Project. */
export const updateProjectLicenceRules = updateLicenceRules.shape({
  projectTerm: line(100).required("Project term is required."),
});

/** Body of `POST /v1/admin/licence`: whose licence it is goes with it. */
export const addLicenceBodyRules = addLicenceRules.shape({ userId: line(100).required("User is required.") });

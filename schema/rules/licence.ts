import { boolean, type InferType, number, object } from "yup";
import { getRules } from "#schema/field.ts";
import { licenceFields } from "#schema/fields/licence.ts";
import { line } from "#schema/text.ts";

/**
 * Rules for a new licence in the admin's form, GraphQL and REST. Fields that the form doesn't have get defaults. Unlike
 * the form, the API also accepts activation type 1 with 1 to 24 lease hours, and hours of borrowing for the other
 * types.
 */
export const addLicenceRules = object(getRules(licenceFields));
export type AddLicenceValues = InferType<typeof addLicenceRules>;

/** Rules for changing a licence. Project licences use {@link updateProjectLicenceRules}. */
export const updateLicenceRules = addLicenceRules.pick(["licenceCategory", "expiryDate", "purchaseOrderNumber"]).shape({
  projectTerm: line(100),
  /** Number of conversions that a trial includes. Left out, it stays as it is. */
  usageLimit: number()
    .transform((value: unknown, given: unknown) => (given === "" || given === null ? undefined : value))
    .typeError("Must be a number.")
    .integer("Must be a whole number.")
    .min(1, "Must be at least 1.")
    .max(100_000, "Must be at most 100000."),
});
export type UpdateLicenceValues = InferType<typeof updateLicenceRules>;

/** Rules for changing a licence of type Project. */
export const updateProjectLicenceRules = updateLicenceRules.shape({
  projectTerm: line(100).required("Project term is required."),
});

/** Rules for changing how many users and machines a licence allows. */
export const changeSeatsRules = addLicenceRules
  .pick(["numberOfUsers", "numberOfMachines"])
  .shape({ allowOnVms: boolean().typeError("Must be true or false.").required("Must be true or false.") });
export type ChangeSeatsValues = InferType<typeof changeSeatsRules>;

/** Body of `POST /v1/admin/licence`, which includes the owner of the licence. */
export const addLicenceBodyRules = addLicenceRules.shape({ userId: line(100).required("User is required.") });

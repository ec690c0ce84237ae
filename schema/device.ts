import { object } from "yup";
import { defineList, type ValueOf } from "./closed-list.ts";
import { line, paragraphs } from "./text.ts";

/** Reasons that a customer can choose when deactivating a device. */
export const deactivationReasons = [
  "Transition of user for the remainder of the term",
  "Device change",
  "Switching between personal and work environments",
  "Switching between office, project or client environments",
] as const;

/** Roles that can deactivate a device. Only a customer's own deactivations count against the limit. */
export const deactivationActors = defineList("DeactivationActor", "The role that deactivated a device.", {
  CUSTOMER: ["customer", "Customer", "The customer."],
  ADMIN: ["admin", "Admin", "An admin."],
  SYSTEM: ["system", "System", "The system."],
});
export type DeactivationActor = ValueOf<typeof deactivationActors>;

const optionalReason = () => paragraphs(500, "Must be at most 500 characters.");

/**
 * Creates the rule for the reason for deactivating a device. The API accepts any text; the portal offers presets
 * (docs/domain.md#deactivations).
 */
export const deactivationReason = () => optionalReason().required("Please state your reason for deactivation.");

const deactivateDeviceRules = object({ reason: deactivationReason() });

/** Option, for admins only, that shows a field for another reason. */
export const OTHER_REASON = "Other";

/** Rules for the form in the dialog: one of the presets or, for admins, {@link OTHER_REASON} with free text. */
export const deactivateDeviceFormRules = deactivateDeviceRules.shape({
  otherReason: optionalReason().when("reason", { is: OTHER_REASON, then: deactivationReason }),
});

/** Rules for the input of the mutation `deactivateDevice`. */
export const deactivateDeviceInputRules = deactivateDeviceRules.shape({
  deviceId: line(100).required("Device is required."),
});

/** Body of `PUT /v1/licence/machine/{tempId}/deactivate`. */
export const deactivateMachineRules = deactivateDeviceRules.shape({ machineName: line(200) });

import { object } from "yup";
import { line } from "#schema/text.ts";

/**
 * Rules for the reason for deactivating a device. The API accepts any text; the portal offers presets
 * (docs/domain.md#deactivations).
 */
export const deactivateDeviceRules = object({
  reason: line(500).required("Please state your reason for deactivation."),
});

/** Option, for admins only, that shows a field for another reason. */
export const OTHER_REASON = "Other";

/** Rules for the form in the dialog: one of the presets or, for admins, {@link OTHER_REASON} with free text. */
export const deactivateDeviceFormRules = deactivateDeviceRules.shape({
  otherReason: line(500).when("reason", {
    is: OTHER_REASON,
    then: (rule) => rule.required("Please state your reason for deactivation."),
  }),
});

/** Rules for the input of the mutation `deactivateDevice`. */
export const deactivateDeviceInputRules = deactivateDeviceRules.shape({
  deviceId: line(100).required("Device is required."),
});

/** Body of `PUT /v1/licence/machine/{tempId}/deactivate`. */
export const deactivateMachineRules = deactivateDeviceRules.shape({ machineName: line(200) });

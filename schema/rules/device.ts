import { object } from "yup";
import { line } from "./text.ts";

/** Reason for deactivating a device. The API accepts any text, the portal offers presets (docs/domain.md#deactivations). */
export const deactivateDeviceRules = object({
  reason: line(500).required("Please state your reason for deactivation."),
});

/** Option for admins that adds a field for another reason. */
export const OTHER_REASON = "Other";

/** Form of the dialog: one of the presets, or {@link OTHER_REASON} with free text for admins. */
export const deactivateDeviceFormRules = deactivateDeviceRules.shape({
  otherReason: line(500).when("reason", {
    is: OTHER_REASON,
    then: (rule) => rule.required("Please state your reason for deactivation."),
  }),
});

/** Input of the mutation `deactivateDevice`. */
export const deactivateDeviceInputRules = deactivateDeviceRules.shape({
  deviceId: line(100).required("Device is required."),
});

/** Body of `PUT /v1/licence/machine/{tempId}/deactivate`. */
export const deactivateMachineRules = deactivateDeviceRules.shape({ machineName: line(200) });

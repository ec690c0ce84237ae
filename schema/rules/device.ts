import { object } from "yup";
import { line } from "./text.ts";

/** Deactivating a device: free text in the API, the presets are the portal's (docs/domain.md#deactivations). */
export const deactivateDeviceRules = object({
  reason: line(500).required("Please state your reason for deactivation."),
});

/** The last choice of an admin, which asks for the reason in their own words. */
export const otherReason = "Other";

/** The dialog: one of the presets, or for an admin {@link otherReason} with free text. */
export const deactivateDeviceFormRules = deactivateDeviceRules.shape({
  otherReason: line(500).when("reason", {
    is: otherReason,
    then: (rule) => rule.required("Please state your reason for deactivation."),
  }),
});

/** The same with the device, as the portal's mutation takes it. */
export const deactivateDeviceInputRules = deactivateDeviceRules.shape({
  deviceId: line(100).required("Device is required."),
});

/** Body of `PUT /v1/licence/machine/{tempId}/deactivate`. */
export const deactivateMachineRules = deactivateDeviceRules.shape({ machineName: line(200) });

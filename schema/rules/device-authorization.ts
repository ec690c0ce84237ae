import { boolean, type InferType, object, string } from "yup";
import { addinRules } from "./protocol.ts";
import { line } from "#schema/text.ts";

/** Body of `POST /v1/licence/device-authorization`: the common fields of the add-in's requests without a licence code. */
export const deviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  clientId: string()
    .typeError("Must be text.")
    .required("Client id is required.")
    .oneOf(["addin"] as const, "Client id is not known."),
});
export type DeviceAuthorizationValues = InferType<typeof deviceAuthorizationRules>;

/** Body of `POST /v1/licence/device-authorization/token`. */
export const pollDeviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  device_code: line(200).required("Device code is required."),
});
export type PollDeviceAuthorizationValues = InferType<typeof pollDeviceAuthorizationRules>;

/** Rules for the code from the add-in, as the customer types it. */
export const userCodeRules = object({ userCode: line(40).required("Code is required.") });
export type UserCodeValues = InferType<typeof userCodeRules>;

/**
 * Rules for the customer's confirmation: the licence and, if it has reached its device limit, the device to replace.
 */
export const confirmDeviceAuthorizationRules = userCodeRules.shape({
  licenceId: line(100).required("Please choose a licence."),
  replaceDeviceId: line(100),
});
export type ConfirmDeviceAuthorizationValues = InferType<typeof confirmDeviceAuthorizationRules>;

/**
 * Rules for the confirmation form. For a device on another network, the customer also confirms that the device is
 * theirs.
 */
export const confirmDeviceAuthorizationFormRules = confirmDeviceAuthorizationRules.omit(["userCode"]).shape({
  isSameNetwork: boolean().required(),
  startedHere: boolean().when("isSameNetwork", {
    is: false,
    then: (rule) => rule.oneOf([true], "Please confirm that you started this yourself."),
  }),
});

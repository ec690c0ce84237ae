import { boolean, type InferType, object, string } from "yup";
import { addinRules } from "./protocol.ts";
import { line } from "./text.ts";

/** `POST /v1/licence/device-authorization`: what every call carries but the licence code, which nobody has yet. */
export const deviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  clientId: string()
    .typeError("Must be text.")
    .required("Client id is required.")
    .oneOf(["addin"] as const, "Client id is not known."),
});
export type DeviceAuthorizationValues = InferType<typeof deviceAuthorizationRules>;

/** `POST /v1/licence/device-authorization/token` */
export const pollDeviceAuthorizationRules = addinRules.omit(["licenceCode"]).shape({
  device_code: line(200).required("Device code is required."),
});
export type PollDeviceAuthorizationValues = InferType<typeof pollDeviceAuthorizationRules>;

/** The code that the add-in shows, as somebody types it. */
export const userCodeRules = object({ userCode: line(40).required("Code is required.") });
export type UserCodeValues = InferType<typeof userCodeRules>;

/** The customer's yes: on which licence, and in place of which device where all places are taken. */
export const confirmDeviceAuthorizationRules = userCodeRules.shape({
  licenceId: line(100).required("Please choose a licence."),
  replaceDeviceId: line(100),
});
export type ConfirmDeviceAuthorizationValues = InferType<typeof confirmDeviceAuthorizationRules>;

/** The question as the page asks it: where the device is in another network, the person says that it is theirs. */
export const confirmDeviceAuthorizationFormRules = confirmDeviceAuthorizationRules.omit(["userCode"]).shape({
  isSameNetwork: boolean().required(),
  startedHere: boolean().when("isSameNetwork", {
    is: false,
    then: (rule) => rule.oneOf([true], "Please confirm that you started this yourself."),
  }),
});

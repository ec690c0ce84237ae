import type { InferType } from "yup";
import { addinRules } from "./protocol.ts";
import { line } from "./text.ts";

/** `POST /v1/licence/move/devices` */
export const moveDevicesRules = addinRules.shape({
  emailCode: line(40).required("Please enter the code from the email."),
});
export type MoveDevicesValues = InferType<typeof moveDevicesRules>;

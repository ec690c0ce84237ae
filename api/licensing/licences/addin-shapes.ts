import { type TProperties, Type } from "typebox";
import { features, productLevels } from "#schema/product-level.ts";
import { licenceActivationTypes, licenceTypes } from "#schema/licence.ts";
import { licenceWarnings, ResultCode, type ResultCodeName } from "#schema/result-code.ts";
import {
  count,
  id,
  moment,
  namedObject,
  catalogueNumber,
  text,
  describedText,
  flag,
} from "#api/platform/http/define-route.ts";

const codes = Object.keys(ResultCode) as ResultCodeName[];

/** Fields of every answer to the add-in, in addition to its proof. Fields without a value are omitted. */
const answerFields = {
  valid: flag,
  resultCode: Type.Integer({
    enum: Object.values(ResultCode),
    description: `${codes.map((code) => `${ResultCode[code]} ${code}`).join(", ")}.`,
  }),
  code: Type.Enum(codes),
  message: describedText("Explanation to show to the user"),
  warnings: Type.Array(Type.Enum([...licenceWarnings])),
  serverTimeUtc: moment,
  sandbox: Type.Optional(
    Type.Literal(true, { description: "Present for sandbox codes only, which have no real licence" }),
  ),
  licence: Type.Optional(
    namedObject("LicenceOfAnswer", {
      id,
      productLevel: catalogueNumber(productLevels),
      licenceType: catalogueNumber(licenceTypes),
      licenceActivationType: catalogueNumber(licenceActivationTypes),
      features: Type.Array(Type.Enum([...features])),
      expiryDateUtc: moment,
    }),
  ),
  machine: Type.Optional(namedObject("MachineOfAnswer", { id })),
  validateAfterUtc: Type.Optional(moment),
  graceUntilUtc: Type.Optional(moment),
};

const seatLease = Type.Optional(
  namedObject("Lease", { id, expiresAtUtc: moment, heartbeatIntervalMinutes: count, inUse: count, seats: count }),
);

/** Returns the shape of an answer to the add-in: data, and a proof over it as a compact JWS. */
const signed = <Properties extends TProperties>(name: string, more: Properties) =>
  namedObject(name, {
    data: namedObject(`${name}Data`, { ...answerFields, ...more }),
    proof: describedText("Compact JWS (ES256) that signs data"),
  });

const machineToken = Type.Optional(describedText("Store this token. Only an activation of this device returns it"));
const deactivationsRemaining = Type.Optional(count);

export const addinShapes = {
  activate: signed("Activation", { machineToken, deactivationsRemaining }),
  validate: signed("Validation", {}),
  lease: signed("Leasing", { lease: seatLease }),
  release: signed("Releasing", { lease: seatLease }),
  usage: signed("Usage", { usageRemaining: Type.Optional(count) }),
  deactivate: signed("Deactivation", { deactivationsRemaining }),
  moveCode: signed("MoveCode", {}),
  moveDevices: signed("MoveDevices", {
    machines: Type.Optional(
      Type.Array(namedObject("MovableMachine", { id, machineName: text, lastSeenUtc: moment, activatedUtc: moment })),
    ),
    deactivationsRemaining,
  }),
  signInActivation: signed("SignInActivation", {
    machineToken,
    licenceCode: Type.Optional(text),
    deactivationsRemaining,
  }),
};

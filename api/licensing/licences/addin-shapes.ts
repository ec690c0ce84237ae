import { type TProperties, Type } from "typebox";
import {
  features,
  licenceActivationTypes,
  licenceTypes,
  licenceWarnings,
  productLevels,
  ResultCode,
  type ResultCodeName,
} from "#schema/catalogue.ts";
import { count, id, moment, named, numberOf, text, textOf, truth } from "#api/platform/json-shapes.ts";

const codes = Object.keys(ResultCode) as ResultCodeName[];

/** What every answer to the add-in carries beside its proof; what says nothing is absent. */
const answerFields = {
  valid: truth,
  resultCode: Type.Integer({
    enum: Object.values(ResultCode),
    description: `${codes.map((code) => `${ResultCode[code]} ${code}`).join(", ")}.`,
  }),
  code: Type.Enum(codes),
  message: textOf("For a person"),
  warnings: Type.Array(Type.Enum([...licenceWarnings])),
  serverTimeUtc: moment,
  sandbox: Type.Optional(Type.Literal(true, { description: "Of a sandbox code: nothing to run on" })),
  licence: Type.Optional(
    named("LicenceOfAnswer", {
      id,
      productLevel: numberOf(productLevels),
      licenceType: numberOf(licenceTypes),
      licenceActivationType: numberOf(licenceActivationTypes),
      features: Type.Array(Type.Enum([...features])),
      expiryDateUtc: moment,
    }),
  ),
  machine: Type.Optional(named("MachineOfAnswer", { id })),
  validateAfterUtc: Type.Optional(moment),
  graceUntilUtc: Type.Optional(moment),
};

const seatLease = Type.Optional(
  named("Lease", {
    id,
    expiresAtUtc: moment,
    heartbeatIntervalMinutes: count,
    inUse: count,
    seats: count,
  }),
);

/** An answer to the add-in: data and the proof over it, a compact JWS. */
const signed = <Properties extends TProperties>(name: string, more: Properties) =>
  named(name, {
    data: named(`${name}Data`, { ...answerFields, ...more }),
    proof: textOf("Compact JWS, ES256, over data"),
  });

const machineToken = Type.Optional(textOf("Keep it: it is shown once"));
const deactivationsRemaining = Type.Optional(count);

/** Answers of the add-in's calls. */
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
      Type.Array(named("MovableMachine", { id, machineName: text, lastSeenUtc: moment, activatedUtc: moment })),
    ),
    deactivationsRemaining,
  }),
  signInActivation: signed("SignInActivation", {
    machineToken,
    licenceCode: Type.Optional(text),
    deactivationsRemaining,
  }),
};

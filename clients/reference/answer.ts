/** Fields of an answer's `data` that the add-in reads (docs/addin.md). */
export interface AnswerData {
  readonly valid: boolean;
  readonly resultCode: number;
  readonly code: string;
  readonly message: string;
  readonly warnings: readonly string[];
  readonly serverTimeUtc: string;
  readonly licence?: {
    readonly id: string;
    readonly licenceActivationType: number;
    readonly features: readonly string[];
    readonly expiryDateUtc: string;
  };
  readonly machine?: { readonly id: string };
  readonly machineToken?: string;
  /** Present after activating by signing in. */
  readonly licenceCode?: string;
  /** Devices of the licence, from which the user can choose one to replace. */
  readonly machines?: readonly { readonly id: string; readonly machineName: string }[];
  readonly lease?: {
    readonly id: string;
    readonly expiresAtUtc: string;
    readonly heartbeatIntervalMinutes: number;
    readonly inUse: number;
    readonly seats: number;
  };
  readonly validateAfterUtc?: string;
  readonly graceUntilUtc?: string;
  readonly deactivationsRemaining?: number;
  readonly usageRemaining?: number;
}

/** Returns whether a value has the required fields of an answer, and all fields have the right type. */
export function isAnswerData(value: unknown): value is AnswerData {
  if (!isRecord(value)) return false;
  const { valid, resultCode, code, message, warnings, serverTimeUtc, licence, lease } = value;
  return (
    typeof valid === "boolean" &&
    Number.isInteger(resultCode) &&
    typeof code === "string" &&
    typeof message === "string" &&
    isTexts(warnings) &&
    isMoment(serverTimeUtc) &&
    (value.graceUntilUtc === undefined || isMoment(value.graceUntilUtc)) &&
    (value.validateAfterUtc === undefined || isMoment(value.validateAfterUtc)) &&
    (value.machineToken === undefined || typeof value.machineToken === "string") &&
    (value.licenceCode === undefined || typeof value.licenceCode === "string") &&
    (value.machines === undefined || (Array.isArray(value.machines) && value.machines.every(isMachine))) &&
    (licence === undefined || (isRecord(licence) && isTexts(licence.features))) &&
    (lease === undefined || (isRecord(lease) && typeof lease.id === "string" && isMoment(lease.expiresAtUtc)))
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMachine(value: unknown): boolean {
  return isRecord(value) && typeof value.id === "string" && typeof value.machineName === "string";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isMoment(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

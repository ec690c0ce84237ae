import { identifiesMachine, normaliseIdentityValue, pickIdentifyingComponents } from "./component-values.ts";

/** Identifying features of a machine. */
export interface MachineIdentity {
  readonly fingerprint: string;
  /** Component hashes by component name. */
  readonly components?: Readonly<Record<string, string>> | null | undefined;
}

/** Minimum number of equal components. A single one proves nothing, because many machines have the same processor. */
const MIN_EQUAL_COMPONENTS = 2;

/** Returns whether two fingerprints are equal. Hexadecimal ones are equal in any letter case. */
export function isSameFingerprint(known: string, reported: string): boolean {
  return normaliseIdentityValue(known) === normaliseIdentityValue(reported);
}

function hasSameIdentifyingFingerprint(known: MachineIdentity, reported: MachineIdentity): boolean {
  return isSameFingerprint(known.fingerprint, reported.fingerprint) && identifiesMachine(reported.fingerprint);
}

/**
 * Returns whether the reported machine is the known device: the fingerprints are equal, or at least two and at least half
 * (rounded up) of the device's components are equal (docs/domain.md#device-identity). Values that identify nothing and
 * names are not compared.
 */
export function isSameDevice(known: MachineIdentity, reported: MachineIdentity): boolean {
  if (hasSameIdentifyingFingerprint(known, reported)) return true;
  const half = Math.ceil(Object.keys(pickIdentifyingComponents(known.components) ?? {}).length / 2);
  return countEqualComponents(known, reported) >= Math.max(MIN_EQUAL_COMPONENTS, half);
}

/**
 * Finds the device that the reported machine is. Prefers an equal fingerprint, then the most equal components, then the
 * earlier position in the list. Returns null if no device matches.
 */
export function findSameDevice<Known extends MachineIdentity>(
  devices: readonly Known[],
  reported: MachineIdentity,
): Known | null {
  let best: Known | null = null;
  for (const device of devices) {
    if (hasSameIdentifyingFingerprint(device, reported)) return device;
    if (!isSameDevice(device, reported)) continue;
    if (!best || countEqualComponents(device, reported) > countEqualComponents(best, reported)) best = device;
  }
  return best;
}

function countEqualComponents(known: MachineIdentity, reported: MachineIdentity): number {
  const parts = pickIdentifyingComponents(reported.components) ?? {};
  return Object.entries(pickIdentifyingComponents(known.components) ?? {}).filter(
    ([name, value]) => Object.hasOwn(parts, name) && parts[name] === value,
  ).length;
}

/** Minimum number of values that differ between two machines. One alone is a replaced part or a docking station. */
const MIN_CHANGED_VALUES = 2;

/** Returns whether a report seems to come from other hardware than an earlier report of the same device. */
export function isOtherHardware(earlier: MachineIdentity, reported: MachineIdentity): boolean {
  const parts = new Map(Object.entries(reported.components ?? {}));
  const changed = Object.entries(earlier.components ?? {}).filter(([name, value]) =>
    isOtherPart(value, parts.get(name)),
  ).length;
  const hasOtherFingerprint = !isSameFingerprint(earlier.fingerprint, reported.fingerprint);
  return changed > 0 && changed + (hasOtherFingerprint ? 1 : 0) >= MIN_CHANGED_VALUES;
}

/** Returns whether two values of a component identify different parts. Almost all values are equal, so that is checked first. */
function isOtherPart(earlier: string, reported: string | undefined): boolean {
  return (
    reported !== undefined &&
    earlier !== reported &&
    normaliseIdentityValue(earlier) !== normaliseIdentityValue(reported) &&
    identifiesMachine(earlier) &&
    identifiesMachine(reported)
  );
}

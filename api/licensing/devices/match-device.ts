/** Identifying features of a machine. */
export interface MachineIdentity {
  readonly fingerprint: string;
  /** Component hashes by component name. */
  readonly components?: Readonly<Record<string, string>> | null | undefined;
}

/** Minimum number of equal components. A single one proves nothing, because many machines have the same processor. */
const MIN_EQUAL_COMPONENTS = 2;

/**
 * Returns whether the reported machine is the known device: the fingerprints are equal, or at least two and at least half
 * (rounded up) of the device's components are equal (docs/domain.md#device-identity). Names are not compared.
 */
export function isSameDevice(known: MachineIdentity, reported: MachineIdentity): boolean {
  if (known.fingerprint === reported.fingerprint) return true;
  const half = Math.ceil(Object.keys(known.components ?? {}).length / 2);
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
    if (device.fingerprint === reported.fingerprint) return device;
    if (!isSameDevice(device, reported)) continue;
    if (!best || countEqualComponents(device, reported) > countEqualComponents(best, reported)) best = device;
  }
  return best;
}

function countEqualComponents(known: MachineIdentity, reported: MachineIdentity): number {
  const parts = reported.components ?? {};
  return Object.entries(known.components ?? {}).filter(
    ([name, hash]) => Object.hasOwn(parts, name) && parts[name] === hash,
  ).length;
}

/** What a machine is recognised by. */
export interface MachineIdentity {
  readonly fingerprint: string;
  /** Name → hash of its parts. */
  readonly components?: Readonly<Record<string, string>> | null | undefined;
}

/** Fewer equal parts than this prove nothing: many machines share a processor or a maker. */
const FEWEST_EQUAL_COMPONENTS = 2;

/**
 * Whether a machine that reports itself is the known device: its fingerprint is equal, or at least two
 * and at least half, rounded up, of the device's components are (docs/domain.md#device-identity). A name never matches.
 */
export function isSameDevice(known: MachineIdentity, reported: MachineIdentity): boolean {
  if (known.fingerprint === reported.fingerprint) return true;
  const half = Math.ceil(Object.keys(known.components ?? {}).length / 2);
  return equalComponents(known, reported) >= Math.max(FEWEST_EQUAL_COMPONENTS, half);
}

/**
 * The one of several devices that a machine is: by fingerprint, else the one with the most equal
 * components among those that match; the earlier of two that match alike. Null when none does.
 */
export function findSameDevice<Known extends MachineIdentity>(
  devices: readonly Known[],
  reported: MachineIdentity,
): Known | null {
  let best: Known | null = null;
  for (const device of devices) {
    if (device.fingerprint === reported.fingerprint) return device;
    if (!isSameDevice(device, reported)) continue;
    if (!best || equalComponents(device, reported) > equalComponents(best, reported)) best = device;
  }
  return best;
}

function equalComponents(known: MachineIdentity, reported: MachineIdentity): number {
  const parts = reported.components ?? {};
  return Object.entries(known.components ?? {}).filter(
    ([name, hash]) => Object.hasOwn(parts, name) && parts[name] === hash,
  ).length;
}

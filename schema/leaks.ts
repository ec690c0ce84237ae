import { defineList, type ValueOf } from "./closed-list.ts";

/** Signs that strangers use a licence code, from its requests of the last {@link LEAK_DAYS} (decision 0208). */
export const leakSigns = defineList("LeakSign", "A sign that strangers use a licence code.", {
  NETWORKS: [
    "networks",
    "Networks",
    "Requests came from more networks than the permitted machines would use, even if all of them travel.",
  ],
  MACHINES: [
    "machines",
    "Machines",
    "More machines sent requests than are permitted, even if all of them were replaced.",
  ],
  HOURS: ["hours", "Hours", "One device sent requests at nearly every hour of the day."],
  CLONES: [
    "clones",
    "Clones",
    "The hardware of a device keeps alternating, as if a machine and its clone shared an activation.",
  ],
});
export type LeakSign = ValueOf<typeof leakSigns>;

/** Days whose requests are measured. */
export const LEAK_DAYS = 7;

/** Signs that list a licence. */
export const LISTED_SIGNS = 2;

/** Days without measuring after staff accepted the use of a licence. */
export const ACCEPTED_DAYS = 90;

/** From which value each measurement is a sign, for a licence that permits a number of machines. */
const leakThresholds: Readonly<Record<LeakSign, { readonly least: number; readonly perMachine: number }>> = {
  networks: { least: 10, perMachine: 4 },
  machines: { least: 3, perMachine: 2 },
  hours: { least: 20, perMachine: 0 },
  clones: { least: 1, perMachine: 0 },
};

/** What was measured of a licence. */
export type LeakMeasures = Readonly<Record<LeakSign, number>> & { readonly permittedMachines: number };

/** Returns the measurements that are signs. */
export function findLeakSigns(measures: LeakMeasures): LeakSign[] {
  return leakSigns
    .map(({ value }) => value)
    .filter((sign) => {
      const { least, perMachine } = leakThresholds[sign];
      return measures[sign] >= least + perMachine * measures.permittedMachines;
    });
}

/** Describes the signs, such as `In 7 days: 31 networks, 9 machines with 1 permitted`. */
export function describeLeak(measures: LeakMeasures): string {
  const { networks, machines, hours, clones, permittedMachines } = measures;
  const texts: Record<LeakSign, string> = {
    networks: `${networks} networks`,
    machines: `${machines} machines with ${permittedMachines} permitted`,
    hours: `one device in ${hours} hours of the day`,
    clones: clones === 1 ? "1 device with alternating hardware" : `${clones} devices with alternating hardware`,
  };
  return `In ${LEAK_DAYS} days: ${findLeakSigns(measures)
    .map((sign) => texts[sign])
    .join(", ")}`;
}

import { expect, test } from "vitest";
import { describeLeak, findLeakSigns, type LeakMeasures, LISTED_SIGNS } from "#schema/leaks.ts";

const quiet: LeakMeasures = { networks: 0, machines: 0, permittedMachines: 1, hours: 0, clones: 0 };
const isListed = (measures: Partial<LeakMeasures>) => findLeakSigns({ ...quiet, ...measures }).length >= LISTED_SIGNS;

test.each([
  ["a planner who works at home, in the office and on a phone's hotspot", { networks: 13, machines: 2, hours: 16 }],
  ["a planner whose phone gets a new network each hour", { networks: 40, machines: 2, hours: 14 }],
  ["twenty laptops that travel", { permittedMachines: 20, networks: 80, machines: 20, hours: 18 }],
  ["twenty laptops that travel, all replaced this week", { permittedMachines: 20, networks: 89, machines: 40 }],
  ["virtual desktops with a new name each day, in one network", { permittedMachines: 5, networks: 2, machines: 60 }],
  [
    "a server that converts around the clock next to travelling laptops",
    { permittedMachines: 5, networks: 29, machines: 6, hours: 24 },
  ],
  ["a machine and its restored backup", { networks: 4, machines: 2, clones: 1 }],
])("doesn't suspect a leak in %s", (_, measures) => {
  expect(isListed(measures)).toBe(false);
});

test.each([
  ["a single-user code that strangers try", { networks: 14, machines: 5 }],
  ["a code for twenty machines on a website", { permittedMachines: 20, networks: 90, machines: 43 }],
  ["a copied virtual machine in many places", { networks: 14, clones: 1 }],
  ["a machine that several shifts and places share", { networks: 14, hours: 20 }],
])("suspects a leak in %s", (_, measures) => {
  expect(isListed(measures)).toBe(true);
});

test("describes only the signs of a leak", () => {
  const expected = "In 7 days: 31 networks, one device in 22 hours of the day, 1 device with alternating hardware";
  expect(describeLeak({ ...quiet, networks: 31, machines: 4, hours: 22, clones: 1 })).toBe(expected);
});

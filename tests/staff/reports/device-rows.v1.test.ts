import { test, expect } from "vitest";
import { Deactivation } from "#api/licensing/devices/device.entity.ts";
import { createDevice, blockMachine, createLicence } from "#tests/factories/licence.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv, requestCells, requestFields } from "./report-owner.ts";

const app = await startTestApp();
const { em, owner, licence, ownerCells, licenceCells, recordEvent, expectRows, readCsv } = await createReportOwner(app);

test("6 Licence Validations / Activations, including refusals and unknown codes, without seat requests", async () => {
  await recordEvent({ ...requestFields, machineName: "-PC", count: 3, lastAt: new Date("2020-03-10T13:00:00Z") });
  const [march9, march8] = [new Date("2020-03-09T00:00:00Z"), new Date("2020-03-08T00:00:00Z")];
  const activation = { ...requestFields, kind: "activate" } as const;
  await recordEvent({ ...activation, resultCode: 22, machineName: "PC-2", at: march9 });
  await recordEvent({ ...activation, resultCode: 10, machineName: "PC-3", licenceId: null, at: march8 });
  await recordEvent({ ...requestFields, kind: "heartbeat", machineName: "PC-4" });
  const emptyCells = Object.fromEntries(Object.keys({ ...licenceCells, ...ownerCells }).map((title) => [title, ""]));
  await expectRows(6, [
    {
      ...readCells(`
      Date (Brisbane time): ${inCsv} | Last date (Brisbane time): 2020-03-10T23:00:00+10:00 | Count: #3
      Event: Licence check | Result code: #1 | Result: VALID | Answer: The licence is valid on this device.
      Machine name: -PC`),
      ...requestCells,
      ...licenceCells,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date (Brisbane time): 2020-03-09T10:00:00+10:00 | Last date (Brisbane time): ${inCsv} | Count: #1
      Event: Device activation | Result code: #22 | Result: MACHINE_LIMIT_EXCEEDED
      Answer: The licence is already in use on as many devices as it allows. Please free one first.
      Machine name: PC-2`),
      ...requestCells,
      ...licenceCells,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date (Brisbane time): 2020-03-08T10:00:00+10:00 | Last date (Brisbane time): ${inCsv} | Count: #1
      Event: Device activation | Result code: #10 | Result: LICENCE_NOT_FOUND
      Answer: We do not know this licence code. Please check it against your account page. | Machine name: PC-3`),
      ...requestCells,
      ...emptyCells,
    },
  ]);
});

test("7 Licence Deactivations", async () => {
  const device = await createDevice(app, licence, {
    machineName: "＝HYPERLINK(1)",
    osUser: String.raw`CORP\new\table`,
    activatedAt: at,
    lastSeenAt: at,
  });
  const reason = "@Device change";
  em.create(Deactivation, { user: owner.id, device: device.id, at, by: "customer", reason } as never);
  await em.flush();
  await expectRows(7, [
    {
      ...readCells(`Date (Brisbane time): ${inCsv}`),
      "Machine name": { csv: "'＝HYPERLINK(1)", xlsx: "＝HYPERLINK(1)" },
      "Windows user": String.raw`CORP\new\table`,
      ...readCells(`
      Deactivated by: Customer | By customer: Yes | Reason: @Device change | Activated (Brisbane time): ${inCsv}
      Last Seen (Brisbane time): ${inCsv}`),
      ...licenceCells,
      ...ownerCells,
      ...readCells(`Annual deactivation limit: #3`),
    },
  ]);
});

test("8 Blocked Machines", async () => {
  await blockMachine(app, owner, "PC-9|corp.example");
  await app.services.pool.query("update blocked_machines set blocked_at = $1", [at]);
  const second = await createLicence(app, owner);
  const [row] = await readCsv(8);
  await expectRows(8, [
    {
      ...readCells(`Date blocked (Brisbane time): ${inCsv} | Machine name: PC-9|corp.example`),
      "Support codes of licences": row?.["Support codes of licences"] ?? "",
      ...ownerCells,
    },
  ]);
  const codes = row?.["Support codes of licences"]?.split(", ");
  expect(codes?.toSorted()).toEqual([licence.supportCode, second.supportCode].toSorted());
});

test("9 Blocked Machines Attempted Activations", async () => {
  await recordEvent({ ...requestFields, kind: "activate", resultCode: 20, machineName: "PC-9|corp.example" });
  const at = new Date("2020-03-09T00:00:00Z");
  await recordEvent({ ...requestFields, kind: "heartbeat", resultCode: 20, machineName: "@PC-9", at });
  const row = (date: string, machine: string, event: string) => ({
    "Date (Brisbane time)": date,
    "Machine name": machine,
    Event: event,
    ...requestCells,
    ...licenceCells,
    ...ownerCells,
  });
  await expectRows(9, [
    row(inCsv, "PC-9|corp.example", "Device activation"),
    row("2020-03-09T10:00:00+10:00", "@PC-9", "Seat heartbeat"),
  ]);
});

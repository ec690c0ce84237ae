import { expect, test } from "vitest";
import { blockMachine, createLicence } from "#tests/factories/licence.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv, requestCells, requestFields } from "./report-owner.ts";

const app = await startTestApp();
const { owner, licence, ownerCells, licenceCells, recordEvent, expectRows, readCsv } = await createReportOwner(app);

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
  await recordEvent({
    ...requestFields,
    kind: "heartbeat",
    resultCode: 20,
    machineName: "@PC-9",
    at: new Date("2020-03-09T00:00:00Z"),
  });
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

import { test } from "vitest";
import {
  createConcurrentLicence,
  createDevice,
  createSubscription,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv } from "./report-owner.ts";

const app = await startTestApp();
const { owner, licence, ownerCells, licenceCells, expectRows } = await createReportOwner(app);

await createDevice(app, licence, {
  machineName: "＝HYPERLINK(1)",
  osUser: String.raw`CORP\new\table`,
  activatedAt: at,
  lastSeenAt: at,
});

test("4 Licences", async () => {
  await createSubscription(app, licence, { planPrice: "xer-professional-yearly", currentPeriodEndsAt: at });
  const concurrent = await createConcurrentLicence(app, owner, {
    createdAt: new Date("2020-03-02T00:00:00Z"),
    expiresAt: new Date("2020-04-02T00:00:00Z"),
    limitFloatingLeasePeriodToHours: 8,
    allowOnVms: true,
    licenceCategory: 4,
  });
  const trial = await createTrialLicence(app, owner, {
    createdAt: new Date("2020-03-01T00:00:00Z"),
    expiresAt: new Date("2020-03-15T00:00:00Z"),
    revokedAt: at,
    usageCount: 7,
  });
  const none = readCells(
    `Last used (Brisbane time): | PO number: | Project term: | Subscription: | Subscription status:`,
  );
  const ends = readCells(
    `Subscription period ends (Brisbane time): | Suspended (Brisbane time): | Deactivated (Brisbane time):`,
  );
  await expectRows(4, [
    {
      ...readCells(`Date created (Brisbane time): ${inCsv}`),
      ...licenceCells,
      ...readCells(`
      Licence category: None | Activation type: Standard | Status: Active | Expiry Date (UTC): 2100-01-02T03:04:05Z
      Number of users: #1 | Number of machines: #1 | Machines activated: #1 | Last used (Brisbane time): ${inCsv}
      Lease hours: | Heartbeat minutes: | Allow on VMs: No | PO number: -17 | Project term: Stage\t2 | Conversions: #0
      Conversion limit: | Subscription: Professional, yearly | Subscription status: Payment overdue`),
      ...ends,
      ...readCells(`Subscription period ends (Brisbane time): ${inCsv}`),
      ...ownerCells,
    },
    {
      ...readCells(`
      Date created (Brisbane time): 2020-03-02T10:00:00+10:00 | Licence code: ${concurrent.licenceCode}
      Support code: ${concurrent.supportCode} | Product: Professional | Licence type: Concurrent
      Licence category: Extended Evaluation Period | Activation type: Concurrent | Status: Expired
      Expiry Date (UTC): 2020-04-02T00:00:00Z | Number of users: #5 | Number of machines: #10 | Machines activated: #0
      Lease hours: #8 | Heartbeat minutes: #15 | Allow on VMs: Yes | Conversions: #0 | Conversion limit:`),
      ...none,
      ...ends,
      ...ownerCells,
    },
    {
      ...readCells(`
      Date created (Brisbane time): 2020-03-01T10:00:00+10:00 | Licence code: ${trial.licenceCode}
      Support code: ${trial.supportCode} | Product: Trial | Licence type: Single User | Licence category: None
      Activation type: Standard | Status: Deactivated | Expiry Date (UTC): 2020-03-15T00:00:00Z | Number of users: #1
      Number of machines: #1 | Machines activated: #0 | Lease hours: | Heartbeat minutes: | Allow on VMs: No
      Conversions: #7 | Conversion limit: #20`),
      ...none,
      ...ends,
      ...readCells(`Deactivated (Brisbane time): ${inCsv}`),
      ...ownerCells,
    },
  ]);
});

import type { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createLicenceEvent } from "#tests/factories/licence-events.ts";
import { createUser } from "#tests/factories/user.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { openReports, readCells } from "./download-report.ts";

/** Time of the rows, and how a report writes it. */
export const at = new Date("2020-03-10T12:34:56.789Z");
export const inCsv = "2020-03-10T22:34:56+10:00";

/** What an add-in says of itself in a request, and the cells for it. */
export const requestFields = {
  addInVersion: "7.2.0",
  hostVersion: "16.0",
  ip: "192.0.2.7",
  osUser: String.raw`CORP\zoe`,
};
export const requestCells = {
  "Windows user": String.raw`CORP\zoe`,
  ...readCells(`Add-in version: 7.2.0 | Host version: 16.0 | IP address: 192.0.2.7`),
};

/** Creates a customer and a licence whose values spreadsheets and CSV could misread, and the cells for them. */
export async function createReportOwner(app: TestApp) {
  const em = app.services.orm.em.fork();
  const owner = await createUser(app, {
    firstName: "Zoë",
    lastName: "=cmd|'/c calc'!A1",
    companyName: 'Łódź & <Söhne> "建築"',
    position: "@Planner",
    email: "zoe@example.com",
    mobile: "+61 400 123 456",
    abn: "51 824 753 556",
    memberType: 2,
    registeredAt: at,
    country: "Australia",
    referrer: "_x0041_ fair",
    isTester: true,
  });
  const licence = await createLicence(app, owner, {
    createdAt: at,
    expiresAt: new Date("2100-01-02T03:04:05Z"),
    purchaseOrderNumber: "-17",
    projectTerm: "Stage\t2",
  });
  return {
    em,
    owner,
    licence,
    /** Columns about the user in every row of reports 2 to 9. */
    ownerCells: {
      ...readCells(`First Name: Zoë | Last Name: =cmd|'/c calc'!A1`),
      Company: 'Łódź & <Söhne> "建築"',
      ...readCells(`Email: zoe@example.com | Phone: +61 400 123 456 | User type: Corporate | Account: Active`),
    },
    licenceCells: readCells(`
        Licence code: ${licence.licenceCode} | Support code: ${licence.supportCode} | Product: Professional
        Licence type: Single User`),
    /** Records a licence event. */
    recordEvent: (changes: Partial<LicenceEvent>) =>
      createLicenceEvent(app, { at, lastAt: at, licenceId: licence.id, ...changes }),
    ...(await openReports(app)),
  };
}

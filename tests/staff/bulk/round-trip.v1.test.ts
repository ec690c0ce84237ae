import { expect, test } from "vitest";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { checkFile, formatFaults, loadRows, processRun } from "#tests/factories/bulk.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const token = await signInAs(app, await createAdmin(app));
const em = () => app.context().em;

async function exportReport(reportType: number): Promise<Buffer> {
  const response = await fetch(`${app.url}/v1/reports/download-report`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ reportType, startDate: "2000-01-01", endDate: "2099-12-31", format: "csv" }),
  });
  return Buffer.from(await response.arrayBuffer());
}

/** Imports an exported file, with other email addresses, and returns the addresses. */
async function importAgain(kind: string, file: Buffer, email: string): Promise<string> {
  const run = await checkFile(app, token, `kind=${kind}`, file.toString().replaceAll(email, `new-${email}`));
  expect(formatFaults((await loadRows(app, run.id)).filter(({ label }) => label.includes(email)))).toEqual([]);
  await processRun(app, token, run.id);
  return `new-${email}`;
}

test("a file of users that is exported and imported changes no value", async () => {
  const details = {
    firstName: "'=Ada",
    lastName: "＝Zoë 李",
    companyName: 'A "B", C; @D',
    position: "-",
    mobile: "+61 400 123 456",
    unitNumber: "007",
    city: "''+Łódź",
    postCode: "0800",
    state: "NT",
    annualDeactivationLimit: 7,
    isTester: true,
  };
  const user = await createUser(app, details);
  const file = await exportReport(1);
  expect(file.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(file.toString().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const email = await importAgain("import-users", file, user.email);
  expect(await em().findOneOrFail(User, { email })).toMatchObject(details);
});

test("a file of licences that is exported and imported changes no value", async () => {
  const details = {
    expiresAt: new Date("2031-05-31T23:59:59.999Z"),
    numberOfMachines: 4,
    purchaseOrderNumber: "=PO-1",
    allowOnVms: true,
  };
  const owner = await createUser(app);
  await createLicence(app, owner, details);
  const other = await createUser(app, { email: `new-${owner.email}`, signInEmail: `new-${owner.email}` });
  await importAgain("import-licences", await exportReport(4), owner.email);
  expect(await em().find(Licence, { user: other.id })).toMatchObject([details]);
});

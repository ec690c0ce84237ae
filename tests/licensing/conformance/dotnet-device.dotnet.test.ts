import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { identifiesMachine } from "#api/licensing/devices/component-values.ts";
import type { Machine } from "#clients/reference/requests.ts";
import { buildDotnet } from "../../../clients/dotnet/build.mjs";
import { DrivenClient, Driver } from "./driven-client.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../../../.cache/dotnet-device");
const driver = new Driver(["mono", buildDotnet(folder)]);
afterAll(() => driver.kill());
const machine: Machine = { machineName: "PC", fingerprint: "0123456789", isVm: false };
const client = new DrivenClient(driver, {
  url: "http://127.0.0.1:9",
  now: () => new Date(0),
  machine: () => machine,
  timeLimitMs: 1_000,
  waits: [],
});

const describeDevice = (values: Record<string, unknown>) =>
  client.do<{ fingerprint: string; components?: object; isVm: boolean }>("describeDevice", values);
const values = { system: "4C4C4544-0042", board: "PF1A2B3C", cpu: "BFEBFBFF000906EA", disk: "S4EV", mac: "A4-BB-6D" };

test("drops fillers before hashing, and ignores case", async () => {
  const whole = await describeDevice({ values });
  expect(Object.keys(whole.components ?? {})).toHaveLength(5);
  const lower = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.toLowerCase()]));
  expect(await describeDevice({ values: lower })).toMatchObject({ fingerprint: whole.fingerprint });
  for (const filler of [
    "",
    " ",
    "To be filled by O.E.M.",
    "Default string",
    "0000000",
    "None",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "System Serial Number",
    "To Be Filled By O.E.M. by More String",
    "Default_String",
    "OEM_Serial",
    "Not Set",
    "Type2 - Board Serial Number",
    "No Asset Tag",
  ]) {
    expect(identifiesMachine(filler), filler).toBe(false);
    expect(
      Object.keys((await describeDevice({ values: { ...values, board: filler } })).components ?? {}),
      filler,
    ).not.toContain("board");
  }
});

test("keeps its fingerprint when the disk and the network card change", async () => {
  const { fingerprint } = await describeDevice({ values });
  expect(await describeDevice({ values: { ...values, disk: "X", mac: "Y" } })).toMatchObject({ fingerprint });
  expect((await describeDevice({ values: { ...values, board: "X" } })).fingerprint).not.toBe(fingerprint);
});

test("recognises virtual machines by their product, not by a hypervisor under Windows", async () => {
  for (const product of [
    "VMware, Inc. VMware Virtual Platform",
    "innotek GmbH VirtualBox",
    "Microsoft Corporation Virtual Machine",
    "QEMU Standard PC",
    "Xen HVM domU",
    "Amazon EC2 m5.large",
    "Google Google Compute Engine",
    "Parallels Software Parallels Virtual Platform",
  ])
    expect(await describeDevice({ values, product }), product).toMatchObject({ isVm: true });
  for (const product of [
    "Dell Inc. Latitude 7420",
    "LENOVO 20XW",
    "Microsoft Corporation Surface Pro",
    "Amazon EC2 m5.metal",
    "HP HP EliteBook",
  ])
    expect(await describeDevice({ values, product }), product).toMatchObject({ isVm: false });
});

test("reads the firmware's tables", async () => {
  const structure = (type: number, fields: number[], ...texts: string[]) =>
    Buffer.concat([
      Buffer.from([type, fields.length + 4, 0, 0, ...fields]),
      Buffer.from(`${texts.join("\0")}\0${texts.length ? "" : "\0"}\0`.slice(texts.length ? 0 : 1)),
    ]);
  const tables = Buffer.concat([
    structure(0, [1, 2], "Bios", "1.0"),
    structure(
      1,
      [1, 2, 0, 3, ...Array.from({ length: 16 }, (_, index) => index + 1), 6],
      "VMware, Inc.",
      "VMware7,1",
      "SN-1",
    ),
    structure(2, [1, 2, 0, 3], "Maker", "Board", "BOARD-77"),
    structure(4, [0, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0], "Intel", "Xeon"),
    structure(127, []),
  ]);
  const device = await describeDevice({ tables: tables.toString("base64") });
  expect(device).toMatchObject({ isVm: true, product: "VMware7,1" });
  expect(Object.keys(device.components ?? {})).toEqual(["system", "board", "cpu"]);
  // In the forms of docs/guide/fingerprint.md, so that other clients recognise the same device.
  const system = "system=04030201-0605-0807-090A-0B0C0D0E0F10";
  const lines = ["licence-portal-device-1", system, "board=BOARD-77", "cpu=01-02-03-04-05-06-07-08 XEON"];
  expect(device.fingerprint).toBe(createHash("sha256").update(lines.join("\n")).digest("hex"));
  for (let length = 0; length < tables.length; length += 7)
    await describeDevice({ tables: tables.subarray(0, length).toString("base64") });
});

test("computes the fingerprint of the guide's recipe", async () => {
  const guide = readFileSync("docs/guide/fingerprint.md", "utf8");
  const [, code = ""] = /```js\n(.*?)```/s.exec(guide) ?? [];
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code]);
  const { fingerprint } = await client.do<{ fingerprint: string }>("describeDevice", {
    values: { system: "4C4C4544-0042", board: "PF1A2B3C", cpu: "EA-06-09-00-FF-FB-EB-BF Intel(R) Core(TM) i7" },
  });
  expect(stdout).toContain(`fingerprint: '${fingerprint}'`);
});

test.each(["docs/guide/quickstart.md", "clients/dotnet/README.md"])("compiles the C# examples of %s", async (file) => {
  for (const [, code = ""] of readFileSync(file, "utf8").matchAll(/```csharp\n(.*?)```/gs)) {
    const name = `Example${file.length}`;
    // A part of a program needs a program around it.
    const program = code.includes("static class")
      ? code
      : `using System; using LicencePortal; class Ribbon { public bool Enabled; }
         static class Example { static async System.Threading.Tasks.Task Run(Ribbon ribbon, string typedCode) {
         ${code} Console.WriteLine(decision); } static void Main() { } }`;
    writeFileSync(join(folder, `${name}.cs`), program);
    const references = ["System.Core", join(folder, "LicencePortal.Client.dll")].map((path) => `-r:${path}`);
    await run("mcs", [...references, `-out:${join(folder, name)}.exe`, join(folder, `${name}.cs`)]);
    await run("mono", [join(folder, `${name}.exe`)], { env: { ...process.env, PORTAL: "http://127.0.0.1:9" } });
  }
});

test("has the same version and texts in both descriptions of the package and in its changelog", () => {
  const [project = "", nuspec = "", changelog = ""] = [
    "LicencePortal.Client.csproj",
    "LicencePortal.Client.nuspec",
    "CHANGELOG.md",
  ].map((file) => readFileSync(join("clients/dotnet", file), "utf8"));
  const find = (text: string, tag: string) => new RegExp(`<${tag}>(.*?)</${tag}>`).exec(text)?.[1];
  for (const [inProject, inNuspec] of [
    ["PackageId", "id"],
    ["Version", "version"],
    ["Authors", "authors"],
    ["Description", "description"],
    ["PackageTags", "tags"],
    ["PackageReadmeFile", "readme"],
    ["PackageReleaseNotes", "releaseNotes"],
  ] as const)
    expect(find(nuspec, inNuspec), inNuspec).toBe(find(project, inProject) ?? "missing");
  expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe(find(project, "Version"));
  for (const framework of find(project, "TargetFrameworks")?.split(";") ?? [])
    expect(nuspec, framework).toContain(`target="lib/${framework}"`);
});

test("has documentation for IntelliSense", () => {
  const documentation = readFileSync(join(folder, "LicencePortal.Client.xml"), "utf8");
  expect(documentation).toContain('<member name="M:LicencePortal.LicenceClient.ActivateAsync');
});

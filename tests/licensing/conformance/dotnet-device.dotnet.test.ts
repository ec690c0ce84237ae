import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Machine } from "#tests/licensing/reference-client/requests.ts";
import { buildDotnet } from "../../../clients/dotnet/build.mjs";
import { DrivenClient, Driver } from "./driven-client.ts";

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

describe("device", () => {
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
    ])
      expect(
        Object.keys((await describeDevice({ values: { ...values, board: filler } })).components ?? {}),
        filler,
      ).not.toContain("board");
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
    for (let length = 0; length < tables.length; length += 7)
      await describeDevice({ tables: tables.subarray(0, length).toString("base64") });
  });
});

test("has documentation for IntelliSense", () => {
  const documentation = readFileSync(join(folder, "LicencePortal.Client.xml"), "utf8");
  expect(documentation).toContain('<member name="M:LicencePortal.LicenceClient.ActivateAsync');
});

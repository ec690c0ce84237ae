import { Readable } from "node:stream";
import { brand } from "#schema/brand.ts";
import { SoftwareStage } from "#schema/software.ts";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishBuild } from "#api/releases/software/publish-build.ts";
import { contextAt, type Demo, daysAgo } from "./history.ts";

/** Publishes a build in Production and in Beta, and adds an unpublished one in Alpha. */
export async function writeBuilds(demo: Demo): Promise<void> {
  const name = brand.productName.replaceAll(" ", "-");
  for (const { stage, version, days, isPublished } of [
    { stage: SoftwareStage.Production, version: "7.2.0", days: 21, isPublished: true },
    { stage: SoftwareStage.Beta, version: "7.3.0", days: 5, isPublished: true },
    { stage: SoftwareStage.Alpha, version: "7.4.0", days: 1, isPublished: false },
  ]) {
    const fileName = `${name}-Setup-${version}.exe`;
    const program = createDemoProgram(
      `This is a demo build of ${brand.productName} ${version}. Replace it with a real one.`,
    );
    const then = contextAt(demo, daysAgo(demo, days));
    const { id } = await addBuild(then, { stage, version, fileName }, async () => Readable.from([program]));
    if (isPublished) await publishBuild(then, id);
  }
}

/**
 * Creates the smallest file that other software recognises as a Windows program: a DOS stub that exits immediately, a
 * PE header without sections, and the given text.
 */
function createDemoProgram(text: string): Buffer {
  const program = Buffer.alloc(4_096);
  program.write("MZ", 0, "latin1");
  program.writeUInt16LE(0x40, 2);
  program.writeUInt16LE(1, 4);
  program.writeUInt16LE(4, 8);
  program.writeUInt32LE(0x80, 0x3c);
  // mov ax, 4c00h; int 21h: exits the program.
  program.set([0xb8, 0x00, 0x4c, 0xcd, 0x21], 0x40);
  program.write("PE\0\0", 0x80, "latin1");
  program.writeUInt16LE(0x014c, 0x84);
  program.writeUInt16LE(0x0102, 0x96);
  program.write(text, 0x200, "utf8");
  return program;
}

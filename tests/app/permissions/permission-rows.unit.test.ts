import { join } from "node:path";
import { expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";

// The other tests derive what they expect from the table, so only this file notices a row that lets in more callers. Update
// it on purpose: `npx vitest run permission-rows --update`.
test("each operation is open to the callers that were agreed on", async () => {
  const rows = Object.entries(permissions.operations).map(([name, { audience, roles, scope, proof, viewers }]) =>
    [
      `${name}: ${audience}`,
      ...(roles ? [`roles ${typeof roles === "string" ? roles : ["owner", ...roles].join(" ")}`] : []),
      `scope ${[scope].flat().join(" ")}`,
      ...(proof ? [`proof ${proof}`] : []),
      ...(viewers ? [`viewers ${viewers}`] : []),
    ].join(", "),
  );
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(join(import.meta.dirname, "../golden/permissions.txt"));
});

import { setTimeout as sleep } from "node:timers/promises";
import { formatCount } from "#schema/numbers.ts";
import type { Certificate } from "#api/messaging/emails/templates/account-deleted.tsx";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import {
  findErasureTarget,
  listMergedErasures,
  previewErasure,
  requestErasure,
} from "#api/privacy/erasure/request-erasure.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { MINUTE, SECOND } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { erasureEffectLabels } from "#api/platform/database/personal-data.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printProgress, printResult } from "./print.ts";

/**
 * Runs `server.js erase-user`. The certificate contains those of accounts that were merged into the user's, in `merged`.
 * @throws AppError if the user doesn't exist or is the last active admin
 */
export async function eraseUserByEmail(
  { email, dryRun, json = false }: { readonly email: string; readonly dryRun?: true; readonly json?: boolean },
  loadDevClock: LoadDevClock,
): Promise<void> {
  await runWithContext("erase-user", loadDevClock, async (context) => {
    const found = await findErasureTarget(context, email);
    if (!found) throw new AppError("NOT_FOUND", { message: `No account has the address ${email}.` });
    if (dryRun) return printResult(await previewErasure(context, found), json, describePreview);
    const erasure =
      "erasureId" in found ? { id: found.erasureId } : await requestErasure(context, found.userId, "operator");
    const certificate = await finish(context, erasure.id);
    const merged: Certificate[] = [];
    for (const id of await listMergedErasures(context.em, found.userId)) merged.push(await finish(context, id));
    printResult({ ...certificate, merged }, json, () => [certificate, ...merged].map(describeCertificate).join("\n"));
  });
}

/**
 * Longest time to wait while another process runs the erasure. If that process is killed, the erasure is released when
 * its connection closes.
 */
const MAX_WAIT_MS = 5 * MINUTE;

async function finish(context: Context, erasureId: string): Promise<Certificate> {
  let busyMs = 0;
  for (;;) {
    const end = await runErasure(context, erasureId, {
      onBatch: ({ part, rows }) => printProgress(`${part}: ${rows} rows`),
    });
    if (end === "done") break;
    if (end === "more") busyMs = 0;
    else if ((busyMs += SECOND) > MAX_WAIT_MS)
      throw new AppError("UNAVAILABLE", { message: "Another process is running this erasure. Try again later." });
    else await sleep(SECOND);
  }
  const { certificate } = await context.em.fork().findOneOrFail(Erasure, erasureId);
  if (!certificate) throw new AppError("INTERNAL");
  return certificate;
}

function describeCertificate({ id, requestedAt, finishedAt, emailHash, erased, kept }: Certificate): string {
  const lines = [
    `Certificate of erasure ${id}`,
    `Requested ${requestedAt}, finished ${finishedAt}`,
    `Email hash ${emailHash ?? "unknown"}`,
    "",
    "Erased:",
    ...erased
      .filter(({ rows }) => rows > 0)
      .map(({ title, effect, rows }) => `  ${title}: ${rows} ${erasureEffectLabels[effect]}`),
    "",
    "Kept:",
    ...kept.filter(({ rows }) => rows > 0).map(({ title, rows, reason }) => `  ${title}: ${rows}. ${reason}`),
  ];
  return `${lines.join("\n")}\n`;
}

function describePreview(preview: Awaited<ReturnType<typeof previewErasure>>): string {
  const { userId, state, mergedAccounts, licences, licenceEvents, taxInvoices } = preview;
  const merged = mergedAccounts > 0 ? ` with ${formatCount(mergedAccounts, "merged account")}` : "";
  return `Dry run, nothing was changed.
User ${userId}, ${state}${merged}: ${formatCount(licences, "licence")}, about ${formatCount(licenceEvents, "licence event")}, ${formatCount(taxInvoices, "tax invoice")} (kept).
`;
}

/** Takes three seats on the demo's concurrent licence, so that the seat board isn't empty. */
import { createAddin, listLicences } from "./addin.mjs";

const planners = [
  ["GNC-PLAN-03", "m.okafor"],
  ["GNC-PLAN-05", "l.petrov"],
  ["GNC-SITE-MACKAY", "s.whitlam"],
];

/** Takes the seats and returns the id of the licence. */
export async function takeSeats(url) {
  const licence = (await listLicences(url, "corporate")).find(
    ({ licenceActivationType }) => licenceActivationType === 2,
  );
  const { id, licenceCode } = licence;
  for (const [machineName, osUser] of planners) {
    const call = createAddin(url, machineName, osUser);
    const { data } = await call("activate", { licenceCode });
    const { machineToken } = data;
    const leased = await call("lease", { licenceCode, machineToken, sessionId: "media" });
    if (!leased.data.lease) throw new Error(`No seat for ${machineName}: ${leased.data.code}`);
  }
  return id;
}

/** Three planners at work on the demo's concurrent licence, so that its seat board has something to show. */
import { addinOn, licencesOf } from "./addin.mjs";

const planners = [
  ["GNC-PLAN-03", "m.okafor"],
  ["GNC-PLAN-05", "l.petrov"],
  ["GNC-SITE-MACKAY", "s.whitlam"],
];

/** Answers with the id of the licence. */
export async function takeSeats(url) {
  const licence = (await licencesOf(url, "corporate")).find(({ licenceActivationType }) => licenceActivationType === 2);
  const { id, licenceCode } = licence;
  for (const [machineName, osUser] of planners) {
    const ask = addinOn(url, machineName, osUser);
    const { data } = await ask("activate", { licenceCode });
    const { machineToken } = data;
    const leased = await ask("lease", { licenceCode, machineToken, sessionId: "media" });
    if (!leased.data.lease) throw new Error(`No seat for ${machineName}: ${leased.data.code}`);
  }
  return id;
}

/** Three planners at work on the demo's concurrent licence, so that its seat board has something to show. */

const planners = [
  ["GNC-PLAN-03", "m.okafor"],
  ["GNC-PLAN-05", "l.petrov"],
  ["GNC-SITE-MACKAY", "s.whitlam"],
];

/** Asks as the add-in does (docs/addin.md); answers with the id of the licence. */
export async function takeSeats(url) {
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const signIn = {
    UserName: "corporate@demo.test",
    Password: "Demo-pass-1",
    ClientId: "portal",
    GrantType: "password",
  };
  const { access_token: token } = await post("core/auth/token", signIn);
  const { id: owner } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  const own = await fetch(`${url}/v1/licence/${owner}`, { headers: { authorization: `Bearer ${token}` } });
  const licence = (await own.json()).find(({ licenceActivationType }) => licenceActivationType === 2);
  for (const [machineName, osUser] of planners) {
    const machine = { machineName, fingerprint: `media-${machineName}`.padEnd(40, "0"), osUser, isVm: false };
    const clientTimeUtc = new Date().toISOString();
    const common = {
      licenceCode: licence.licenceCode,
      clientTimeUtc,
      addInVersion: "7.2.0",
      hostVersion: "16.0.17328",
      machine,
    };
    const { data } = await post("licence/activate", { ...common, nonce: crypto.randomUUID() });
    const { machineToken } = data;
    const leased = await post("licence/lease", {
      ...common,
      nonce: crypto.randomUUID(),
      machineToken,
      sessionId: "media",
    });
    if (!leased.data.lease) throw new Error(`No seat for ${machineName}: ${leased.data.code}`);
  }
  return licence.id;
}

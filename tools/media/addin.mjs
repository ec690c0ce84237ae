/** The add-in on machines of the demo people, as far as pictures need it (docs/addin.md). */

/** Sends JSON to a call of the REST API. @throws Error when it is not answered with 2xx */
async function post(url, path, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

/** The licences of a demo person, as their account lists them. */
export async function licencesOf(url, who) {
  const person = { UserName: `${who}@demo.test`, Password: "Demo-pass-1", ClientId: "portal", GrantType: "password" };
  const { access_token: token } = await post(url, "core/auth/token", person);
  const { id: owner } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  const own = await fetch(`${url}/v1/licence/${owner}`, { headers: { authorization: `Bearer ${token}` } });
  return own.json();
}

/** The add-in on one machine: asks a call under `licence/` and gets what is in the answer. */
export function addinOn(url, machineName, osUser) {
  const machine = { machineName, fingerprint: `media-${machineName}`.padEnd(40, "0"), osUser, isVm: false };
  return (call, more) =>
    post(url, `licence/${call}`, {
      clientTimeUtc: new Date().toISOString(),
      nonce: crypto.randomUUID(),
      addInVersion: "7.2.0",
      hostVersion: "16.0.17328",
      machine,
      ...more,
    });
}

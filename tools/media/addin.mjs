/** Simulates the add-in on demo users' machines, as far as the pictures need it (docs/addin.md). */

/** Sends JSON to the REST API. @throws Error unless the response is 2xx */
async function post(url, path, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return response.json();
}

/** Lists the licences of a demo user. */
export async function listLicences(url, who) {
  const credentials = {
    UserName: `${who}@demo.test`,
    Password: "Demo-pass-1",
    ClientId: "portal",
    GrantType: "password",
  };
  const { access_token: token } = await post(url, "core/auth/token", credentials);
  const { id: owner } = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  const own = await fetch(`${url}/v1/licence/${owner}`, { headers: { authorization: `Bearer ${token}` } });
  return own.json();
}

/**
 * Creates an add-in on one machine and returns a function that sends a call under `licence/` and returns the response.
 */
export function createAddin(url, machineName, osUser) {
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

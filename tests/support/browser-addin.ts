import { expect, type Page } from "@playwright/test";
import { readProof } from "./proof.ts";

/** Data of a verified response to the add-in. */
interface AddinAnswer {
  readonly resultCode: number;
  readonly code: string;
  readonly machineToken?: string;
  readonly licenceCode?: string;
}

/**
 * Plays the add-in on one machine over HTTP. It accepts a response only if the proof is signed with a published key,
 * repeats the data, and contains the nonce of the request and the fingerprint of the machine.
 */
export function startBrowserAddin(page: Page, machineName: string, licenceCode: string) {
  const fingerprint = `fingerprint-of-${machineName}-${crypto.randomUUID()}`;

  const machine = { machineName, fingerprint, isVm: false };
  const client = { addInVersion: "7.2.0", hostVersion: "16.0.17328", machine };
  const post = (call: string, more: Record<string, unknown>) => {
    const own = { nonce: crypto.randomUUID(), clientTimeUtc: new Date().toISOString() };
    return page.request.post(`/v1/licence/${call}`, { data: { licenceCode, ...own, ...client, ...more } });
  };

  /** Sends a licence call and returns the verified data of its response. */
  async function callAddin(call: string, more: Record<string, unknown> = {}): Promise<AddinAnswer> {
    const nonce = crypto.randomUUID();
    const answer = await post(call, { nonce, ...more });
    expect(answer.status()).toBe(200);
    const { data, proof } = (await answer.json()) as { data: AddinAnswer; proof: string };
    const keys = await (await page.request.get("/v1/licence/signing-keys")).json();
    expect(readProof(proof, keys)?.payload).toMatchObject({ data, nonce, fingerprint });
    expect(readProof(tamperWith(proof), keys)).toBeNull();
    return data;
  }

  /** Starts a device authorization, without a licence code. */
  async function begin(): Promise<{ device_code: string; user_code: string; verification_uri_complete: string }> {
    const answer = await post("device-authorization", { clientId: "addin" });
    expect(answer.status()).toBe(200);
    return answer.json();
  }

  /** Polls a device authorization that must not be approved yet, and returns the error code. */
  async function refusalOfPoll(deviceCode: string): Promise<string> {
    const answer = await post("device-authorization/token", { device_code: deviceCode });
    expect(answer.status()).toBe(400);
    return ((await answer.json()) as { error: string }).error;
  }

  return { callAddin, begin, refusalOfPoll };
}

/** Returns the proof with a payload that says VALID and its original signature. */
function tamperWith(proof: string): string {
  const [head = "", body = "", signature = ""] = proof.split(".");
  const payload = JSON.parse(Buffer.from(body, "base64url").toString()) as { data: Record<string, unknown> };
  const data = { ...payload.data, resultCode: 1, code: "VALID", valid: true, serverTimeUtc: "" };
  return [head, Buffer.from(JSON.stringify({ ...payload, data })).toString("base64url"), signature].join(".");
}

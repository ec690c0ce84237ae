import { connect } from "node:tls";
import { readMachineClock, DAY, SECOND } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { count, failed, ok, type Result, warning } from "./result.ts";

const WAIT_MS = 5 * SECOND;

/** Days of validity from which a certificate should have been renewed. ACME clients renew 30 days before the end. */
const LATE_DAYS = 14;

/** Checks the certificate that PUBLIC_URL answers with: its name, its issuer and its end. */
export async function checkCertificate({
  publicUrl,
  production,
}: Pick<Config, "publicUrl" | "production">): Promise<Result> {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== "https:")
    return production
      ? warning("PUBLIC_URL isn't https, so passwords travel unencrypted.", "Put a proxy with TLS in front of it.")
      : ok("none, because PUBLIC_URL isn't https");
  try {
    const days = Math.floor(((await readEnd(hostname, Number(port || 443))) - readMachineClock()) / DAY);
    if (days >= LATE_DAYS) return ok(`of ${hostname}, valid for ${count(days, "day")}`);
    return warning(`The certificate of ${hostname} ends in ${count(days, "day")}.`, "Renew it: see the proxy's log.");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (/^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code))
      return warning(
        `${hostname} can't be reached from here (${code}), so its certificate isn't known.`,
        "Check DNS and the proxy, or ignore this where the machine can't reach its public address.",
      );
    return failed(`Browsers refuse the certificate of ${hostname}: ${message}`, "Renew or replace it at the proxy.");
  }
}

/** Returns the end of the certificate of a server, in milliseconds. */
async function readEnd(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: WAIT_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("timeout", () => socket.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
  });
}

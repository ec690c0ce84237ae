import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerAddress } from "smtp-server";

/** Email as the server received it. */
export interface DeliveredEmail extends Email {
  /** Recipients of the envelope, which may differ from the headers. */
  readonly recipients: readonly string[];
  readonly raw: string;
}

/**
 * Starts a local SMTP server.
 * @param options.port port of an earlier server that this one replaces
 * @param options.refuse SMTP reply to every recipient, such as `550 5.1.1 no such user`
 * @param options.refuseSender SMTP reply to every sender
 */
export async function startSmtpServer(options: { port?: number; refuse?: string; refuseSender?: string } = {}) {
  const delivered: DeliveredEmail[] = [];
  const answer = (refusal: string | undefined, callback: (error?: Error) => void): void => {
    if (!refusal) return callback();
    const [code, ...words] = refusal.split(" ");
    callback(Object.assign(new Error(words.join(" ")), { responseCode: Number(code) }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onMailFrom: (_address, _session, callback) => answer(options.refuseSender, callback),
    onRcptTo: (_address, _session, callback) => answer(options.refuse, callback),
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map((to: SMTPServerAddress) => to.address);
      const receive = async (): Promise<void> => {
        const raw = await text(stream);
        delivered.push({ ...(await PostalMime.parse(raw)), recipients, raw });
        callback();
      };
      // A client may leave before the end of the message.
      receive().catch(() => {});
    },
  });
  server.on("error", () => {});
  const listener = server.listen(options.port ?? 0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    delivered,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

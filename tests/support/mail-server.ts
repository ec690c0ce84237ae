import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerAddress } from "smtp-server";

/** A mail as the server got it. */
export interface DeliveredMail extends Email {
  /** Whom the envelope names, whatever the headers say. */
  readonly recipients: readonly string[];
  readonly raw: string;
}

/** A real mail server on this machine, as good or bad as a test wants it. */
export interface MailServer {
  readonly url: string;
  readonly port: number;
  readonly delivered: DeliveredMail[];
  close(): Promise<void>;
}

/**
 * Starts a mail server.
 * @param options.port to come back on the port of an earlier one
 * @param options.refuse an SMTP answer such as `550 5.1.1 no such user` to every recipient
 */
export async function startMailServer(options: { port?: number; refuse?: string } = {}): Promise<MailServer> {
  const delivered: DeliveredMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, _session, callback) {
      if (!options.refuse) return callback();
      const [code, ...words] = options.refuse.split(" ");
      callback(Object.assign(new Error(words.join(" ")), { responseCode: Number(code) }));
    },
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map((to: SMTPServerAddress) => to.address);
      const receive = async (): Promise<void> => {
        const raw = await text(stream);
        delivered.push({ ...(await PostalMime.parse(raw)), recipients, raw });
        callback();
      };
      void receive();
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
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

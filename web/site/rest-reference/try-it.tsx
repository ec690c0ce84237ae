import { type ComponentProps, type CSSProperties, type FormEvent, useId, useState } from "react";
import { loginHref, paths } from "#web/platform/paths.ts";
import { getSession, onSessionChange, useSession } from "#web/platform/session.ts";
import { createStore } from "#web/platform/store.ts";
import { Button } from "#web/ui/button.tsx";
import {
  buildUrl,
  type CallRequest,
  type CallResponse,
  readTryableCall,
  sendCall,
  type TryableCall,
} from "./send-call.ts";
import fields from "#web/ui/form/native-fields.module.css";
import { Tag } from "#web/ui/tag.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./try-it.module.css";

/** The pasted personal access token, shared by all panels and kept in memory only. Empty if there is none. */
export const pastedToken = createStore("");

// The next user of this tab must not send calls with it.
let lastUserId = getSession()?.claims.id;
onSessionChange(() => {
  const before = lastUserId;
  lastUserId = getSession()?.claims.id;
  if (before && before !== lastUserId) pastedToken.set("");
});

const box = { className: fields.box, autoComplete: "off", spellCheck: false } satisfies ComponentProps<"input">;

const panel: CSSProperties = { display: "grid", gap: "0.875rem" };

/** Form that sends a call with the session or a pasted token and shows the response. */
export default function TryIt({ call: section }: { call: HTMLElement }) {
  const [call] = useState(() => readTryableCall(section));
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(call.example);
  const [isBusy, setIsBusy] = useState(false);
  const [received, setReceived] = useState<{ response: CallResponse; userId: string | undefined } | null>(null);
  const [error, setError] = useState("");
  const session = useSession();
  const userId = session?.claims.id;
  // After a sign-out, also in another tab, no response is on the screen, nor one that was still being awaited.
  const response = received?.userId === userId ? received?.response : undefined;
  // Another panel may have a token that this call doesn't accept.
  const pasted = pastedToken.use();
  const token = call.takesTokens ? pasted : "";
  const takesFile = call.type !== null && !call.type.includes("json");
  if (takesFile)
    return (
      <p className={layout.note}>
        This call requires a file, so you can't send it here. Use the example above instead.
      </p>
    );

  async function send(event: FormEvent) {
    event.preventDefault();
    setError("");
    setReceived(null);
    const caller: CallRequest["caller"] = !call.isSignedIn ? "nobody" : token ? { token } : "session";
    const sent = call.type ? { content: body, type: call.type } : null;
    setIsBusy(true);
    try {
      const answer = await sendCall({ method: call.method, url: buildUrl(call, values), caller, body: sent });
      // A 401 that ended the session is shown, too.
      setReceived({ response: answer, userId: answer.status === 401 ? getSession()?.claims.id : userId });
    } catch {
      setError("We couldn't reach the server. Check your connection and try again.");
    } finally {
      setIsBusy(false);
    }
  }

  const who = session ? `${session.claims.givenName} ${session.claims.familyName} (${session.claims.email})` : null;
  return (
    <form style={panel} onSubmit={(event) => void send(event)}>
      {call.changes && (
        <p className={layout.note}>
          <Tag>This call changes data.</Tag> It affects the account that you send it from.
        </p>
      )}
      {call.isSignedIn && <Sender call={call} who={who} token={token} />}
      {[...call.inPath.map((name) => ({ name, required: true })), ...call.inQuery].map(({ name, required }) => (
        <Labelled key={name} label={name} note={required ? "" : "optional"}>
          {(id) => (
            <input
              id={id}
              {...box}
              value={values[name] ?? ""}
              required={required}
              onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
            />
          )}
        </Labelled>
      ))}
      {call.type && (
        <Labelled label="Body" note={call.type}>
          {(id) => (
            <textarea
              id={id}
              {...box}
              value={body}
              rows={Math.min(16, body.split("\n").length + 1)}
              onChange={({ currentTarget }) => setBody(currentTarget.value)}
            />
          )}
        </Labelled>
      )}
      <Button type="submit" size="sm" loading={isBusy} style={{ justifySelf: "start" }}>
        Send {call.method}
      </Button>
      <div role="status" className={classes.outcome}>
        {error && <p className={classes.fault}>{error}</p>}
        {response && (
          <p>
            <b data-kind={String(response.status)[0]}>{response.status}</b> in {response.durationMs} ms
            {response.requestId && <span>Request {response.requestId}</span>}
          </p>
        )}
      </div>
      {response?.text && (
        <pre style={{ maxHeight: "24rem", borderRadius: 10 }} {...scrolling} aria-label="Response">
          {response.text}
        </pre>
      )}
    </form>
  );
}

/** Makes a scrollable box focusable for keyboard users. */
const scrolling = { tabIndex: 0, role: "group" } satisfies ComponentProps<"pre">;

/** Shows who the request is sent as, and a token field. */
function Sender({ call, who, token }: { call: TryableCall; who: string | null; token: string }) {
  const caller = who ? `Sent as ${who}` : "You're not signed in";
  return (
    <div className={layout.note} style={panel}>
      <p>
        {token ? "Sent with the token below" : caller}.{" "}
        {!who && !token && <a href={loginHref(`${paths.restApi.href()}#${call.id}`)}>Sign in</a>}
      </p>
      {call.takesTokens && (
        <Labelled label="Personal access token" note="optional, kept in this tab's memory only">
          {(id) => (
            <input
              id={id}
              {...box}
              type="password"
              value={token}
              placeholder="xpat_…"
              onChange={({ currentTarget }) => pastedToken.set(currentTarget.value)}
            />
          )}
        </Labelled>
      )}
    </div>
  );
}

function Labelled(props: { label: string; note: string; children: (id: string) => React.ReactNode }) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>
        {props.label}
        {props.note && <span>{props.note}</span>}
      </label>
      {props.children(id)}
    </div>
  );
}

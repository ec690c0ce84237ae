import { messageOfResultCode, resultCodes } from "#schema/result-code.ts";
import { helpArticles } from "#schema/help-articles.ts";
import { sandboxCodes } from "#schema/sandbox-codes.ts";
import type { ContentFields } from "./read-content.ts";

/** Returns the messages of the result codes that an article is about. A warning's message is the add-in's. */
export function findMessages(article: string): readonly string[] {
  return resultCodes.filter(({ code }) => code !== "VALID" && helpArticles[code] === article).map(({ label }) => label);
}

const messages: ReadonlyMap<string, string> = new Map(Object.entries(messageOfResultCode));

interface State {
  readonly title: string;
  readonly text: string;
  /** Result code; none before the first call and without a connection. */
  readonly code?: string;
  readonly licence?: string;
  readonly warning?: string;
  /** The add-in's own message. */
  readonly client?: string;
  readonly until?: string;
  readonly buttons: readonly string[];
  readonly article: string;
}

/**
 * Returns the states of the licence pane with the message of their result code and the sandbox code that returns them.
 * @throws {Error} if a state has an unknown code, or no sandbox code returns it
 */
export function buildAddInStates(page: ContentFields): readonly ContentFields[] {
  return (page.states as unknown as readonly State[]).map((state) => {
    const { title, text, code, warning, client, until, buttons, article } = state;
    const message = code && !warning ? messages.get(code) : null;
    return {
      title,
      text,
      message: [message, client, until].filter(Boolean).join(" "),
      // Without a connection, the add-in works until the end of the grace.
      isReady: code ? code === "VALID" : until !== undefined,
      sandbox: code ? findSandboxCode(state) : "",
      buttons,
      article,
    };
  });
}

function findSandboxCode({ title, code, licence, warning }: State): string {
  const warnings = warning ? [warning] : [];
  const found = sandboxCodes.find(
    (one) =>
      one.result === code && one.licence === licence && !one.status && one.warnings.join(" ") === warnings.join(" "),
  );
  if (!found) throw new Error(`No sandbox code returns the add-in's state ${title}.`);
  return found.licenceCode;
}

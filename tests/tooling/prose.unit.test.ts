import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");
const { commentFaults, commentsIn, nameFaults, testNameFaults, wordFaults } = (await import(
  join(repository, "scripts/lint/prose.mjs")
)) as {
  commentFaults: (text: string, kind?: { isDoc?: boolean; isFunction?: boolean }) => string[];
  commentsIn: (file: string, text: string) => { line: number; text: string }[];
  nameFaults: (name: string, kind?: { isFunction?: boolean }) => string[];
  testNameFaults: (name: string) => string[];
  wordFaults: (text: string) => string[];
};
const { exceptions } = (await import(join(repository, "scripts/lint/prose-exceptions.mjs"))) as {
  exceptions: { text?: string; files?: string; reason: string }[];
};

describe("words", () => {
  test.each([
    ["We mended it anew.", ['"mended": write fix', '"anew": write again']],
    ["The price stands on the invoice.", ['"stands": write is, is shown']],
    ["Frees a device.", ['"Frees": write release, or deactivate']],
    ["Read by the person.", ['"person": write user, or customer']],
  ])("reports %j", (text, faults) => {
    expect(wordFaults(text)).toEqual(faults);
  });

  test.each([
    "Holds a row lock until the transaction ends.",
    "Ask your admin for a role.",
    "A standard personal access token.",
    "`mend(anew)` is code, and so is {@link freed}.",
    'The field is called "held".',
  ])("accepts %j", (text) => {
    expect(wordFaults(text)).toEqual([]);
  });
});

describe("doc comments", () => {
  test.each(["* Whose a reset link is.", "* What the add-in believes.", "* Of a customer."])(
    "rejects %j, which starts without subject or verb",
    (comment) => {
      expect(commentFaults(comment, { isDoc: true })[0]).toContain("start with who or what does the thing");
    },
  );

  test("rejects a function's comment that doesn't start with a verb", () => {
    const faults = (text: string) => commentFaults(text, { isDoc: true, isFunction: true });
    expect(faults("* The account of a reset link.")[0]).toContain("start a function's comment with what it does");
    expect(faults("* Rows of a page.")).toHaveLength(1);
    expect(faults("* Returns the account of a reset link.")).toEqual([]);
  });

  test("accepts a noun phrase where no function follows", () => {
    expect(commentFaults("* Highest page number a client may request.", { isDoc: true })).toEqual([]);
  });

  test("ignores directives for tools", () => {
    expect(commentFaults(" oxlint-disable-next-line no-console -- what is asked for")).toEqual([]);
  });
});

test.each(["of an admin is not changed by themselves", "who pays has a licence"])(
  "rejects the test name %j",
  (name) => {
    expect(testNameFaults(name)).not.toEqual([]);
  },
);

test("accepts test names that say what happens", () => {
  expect(testNameFaults("rejects an expired reset link")).toEqual([]);
});

describe("names", () => {
  test.each(["isHeard", "sendMail", "ask-of-device.ts", "ASK_EVERY_MS", "underWay", "TrialStanding"])(
    "rejects %j, for which there is a standard word",
    (name) => {
      expect(nameFaults(name)).not.toEqual([]);
    },
  );

  test.each(["planOf", "freeSeat", "noteChange", "mayStartTrial"])("rejects the function name %j", (name) => {
    expect(nameFaults(name, { isFunction: true })).toHaveLength(1);
  });

  test.each(["sendEmail", "findPlan", "releaseSeat", "isFree", "issueAdjustmentNote", "validate-licence.ts", "mailto"])(
    "accepts %j",
    (name) => {
      expect(nameFaults(name, { isFunction: true })).toEqual([]);
    },
  );
});

test("finds the comments of style sheets, pages and configuration files with their lines", () => {
  expect(commentsIn("a.css", ".a { color: #fff } /* one\n two */\n/* three */")).toEqual([
    { line: 1, text: " one\n two " },
    { line: 3, text: " three " },
  ]);
  expect(commentsIn("a.html", "<p>\n<!-- one -->")).toEqual([{ line: 2, text: " one " }]);
  expect(commentsIn("a.yml", "a: 1\n# one\nb: 2 # two")).toEqual([
    { line: 2, text: "one" },
    { line: 3, text: "two" },
  ]);
});

describe("exceptions", () => {
  test("are at most 20, each with a reason", () => {
    expect(exceptions.length).toBeLessThanOrEqual(20);
    for (const { reason } of exceptions) expect(reason.split(" ").length).toBeGreaterThan(4);
  });

  test("name files or texts that exist", () => {
    for (const { files, text } of exceptions) {
      const args = files ? ["ls-files", files] : ["grep", "-lF", text ?? "", "--", ":!scripts/lint"];
      expect(execFileSync("git", args, { cwd: repository, encoding: "utf8" }), files ?? text).not.toBe("");
    }
  });
});

test("textlint reports banned words and terms, long sentences and dead links in a document", () => {
  const folder = mkdtempSync(join(tmpdir(), "prose-"));
  try {
    const file = join(folder, "page.md");
    writeFileSync(
      file,
      `# Page\n\nThis is ${"word ".repeat(45)}.\n\nWe mended it. See [it](nowhere.md). Open the javascript file.\n`,
    );
    const args = ["node_modules/textlint/bin/textlint.js", "--rulesdir", "scripts/lint/textlint", "--format", "unix"];
    let output = "";
    try {
      execFileSync(process.execPath, [...args, file], { cwd: repository, encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output.match(/Error\/[\w-]+/g)).toEqual([
      "Error/sentence-length",
      "Error/plain-words",
      "Error/no-dead-link",
      "Error/terminology",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

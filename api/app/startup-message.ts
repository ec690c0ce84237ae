import { brand } from "#schema/brand.ts";
import type { Config } from "#api/platform/config.ts";

const demoAccounts = [
  ["admin@demo.test", "admin"],
  ["ada@demo.test", "customer with a subscription"],
  ["new@demo.test", "customer, nothing bought yet"],
  ["trial@demo.test", "customer on trial"],
  ["corporate@demo.test", "corporate customer"],
  ["unconfirmed@demo.test", "email not confirmed"],
] as const;

/** Prints the URLs of the product and, outside production, the demo accounts. The launcher waits for the last line. */
export function printStartupMessage(config: Config): void {
  const url = (path: string) => `${config.publicUrl}${path}`;
  const lines = [
    `${brand.name} portal is ready`,
    "",
    `  Portal       ${url("/")}`,
    `  GraphQL      ${url("/graphql")}`,
  ];
  if (!config.production) {
    lines.push(`  Mailbox      ${url("/dev/mail")}`, "", "  Sign in with password Demo-pass-1:");
    for (const [email, description] of demoAccounts) lines.push(`  ${email.padEnd(24)}${description}`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

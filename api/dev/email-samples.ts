import type { EmailTemplates } from "#api/messaging/emails/templates/index.tsx";

const sampleMessage = `Good morning,

we plan rail projects with 40 people and would like to try the add-in before the next tender.
Which licence suits us, and can we pay by bank transfer?

Kind regards
Ada`;

/** Returns sample data for every template, with links that start with `site`. */
export function createEmailSamples(site: string): EmailTemplates {
  const firstName = "Ada";
  const at = new Date("2026-12-05T04:25:00Z");
  return {
    "confirm-email": { firstName, link: `${site}/confirm-email?t=secret` },
    "already-registered": { signInLink: `${site}/login`, resetLink: `${site}/forgot-password/` },
    "confirm-new-email": { firstName, link: `${site}/confirm-email?t=secret` },
    "email-changing": { firstName, newEmail: "ada@new.example", undoLink: `${site}/undo-email-change/?t=secret` },
    "email-changed": { firstName, newEmail: "ada@new.example", undoLink: `${site}/undo-email-change/?t=secret` },
    "email-change-undone": {
      firstName,
      restored: { email: "ada@old.example", link: `${site}/reset-password/?t=secret` },
    },
    "trial-started": {
      firstName,
      licenceCode: "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A",
      expiresAt: at,
      conversionLimit: 20,
    },
    "trial-ending": { firstName, expiresAt: at },
    "trial-ended": { firstName },
    "device-deactivated": { firstName, machineName: "BNE-PLAN-007", at, deactivationsRemaining: 2 },
    "licence-expiring": {
      firstName,
      subscriptionLevel: "Professional",
      supportCode: "S-7K3QMX9D",
      expiresAt: at,
      daysLeft: 7,
      canSubscribe: true,
    },
    "licence-issued": {
      firstName,
      subscriptionLevel: "Corporate Dark Concurrent",
      licenceCode: "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A",
      expiresAt: at,
    },
    "licence-deactivated": {
      firstName,
      subscriptionLevel: "Professional",
      supportCode: "S-7K3QMX9D",
      at,
      endsSubscription: true,
    },
    "licence-reinstated": { firstName, subscriptionLevel: "Professional", supportCode: "S-7K3QMX9D", expiresAt: at },
    "move-code": {
      firstName,
      code: "407192",
      minutes: 10,
      machineName: "BNE-PLAN-008",
      osUser: "PLANNING\\ada",
      ip: "203.0.113.7",
      at,
    },
    "webhook-endpoint-changed": {
      firstName,
      change: "added",
      host: "hooks.example.com",
      description: "Production",
      eventTypes: ["licence.issued", "licence.revoked", "invoice.paid"],
      coversAllCustomers: false,
      at,
      browser: "curl",
      ip: "203.0.113.7",
    },
    "webhook-endpoint-off": {
      firstName,
      host: "hooks.example.com",
      reason: "Every attempt failed for 5 days.",
      at,
      link: `${site}/webhooks/`,
    },
    "new-sign-in": { firstName, at, browser: "Chrome on Windows", ip: "203.0.113.7" },
    "security-alert": {
      firstName,
      events: [
        { what: "Sign-in locked after wrong attempts", user: "Grace Hopper", count: 14, at },
        { what: "Role changed", user: "Alan Turing", count: 1, at },
      ],
      more: 2,
    },
    "personal-access-token": {
      firstName,
      name: "Nightly licence export",
      scopes: ["Read licences", "Read billing"],
      expiresAt: at,
      at,
      browser: "Chrome on Windows",
      ip: "203.0.113.7",
    },
    "confirm-reminder": { firstName, link: `${site}/confirm-email?t=secret`, closesAt: at },
    "registration-closed": { firstName },
    "account-closed": { firstName: "Ada", plan: "Professional", at: new Date("2026-11-20T02:30:00Z") },
    "account-created": {
      firstName,
      email: "ada@example.com",
      link: `${site}/reset-password/?t=secret`,
    },
    "account-deleted": {
      firstName,
      at,
      certificate: {
        id: "5b0c4c0e-6d5c-4a39-9d52-0f6f0c1f9a11",
        userId: "8c1de1a8-0a5b-4b8c-9f0e-2a7f7f1d4c55",
        requestedBy: "customer",
        requestedAt: at.toISOString(),
        finishedAt: new Date(at.getTime() + 95_000).toISOString(),
        emailHash: "0a4d55a8d778e5022fab701977c5d840bbc486d0b3d5c9c5f6f2d3d7d6f2a1b0",
        erased: [
          { name: "profile", title: "Profile", effect: "anonymized", rows: 1 },
          { name: "sessions", title: "Sessions", effect: "deleted", rows: 4 },
          { name: "licence-events", title: "Licence events", effect: "anonymized", rows: 400_637 },
        ],
        kept: [
          {
            title: "Tax invoices and adjustment notes",
            rows: 3,
            reason: "Australian tax law requires us to keep them unchanged for 5 years.",
          },
        ],
      },
    },
    "reset-password": { firstName, link: `${site}/reset-password/?t=secret` },
    "password-changed": { firstName, at, liveTokens: 2 },
    invitation: { firstName, email: "ada@example.com" },
    "report-ready": {
      firstName,
      name: "Activations of last week",
      report: "Licence Validations / Activations",
      startDate: "2026-11-28",
      endDate: "2026-12-04",
      fileName: "Licence-Validations-Activations-2026-11-28-to-2026-12-04.xlsx",
      sizeBytes: 1_284_551,
      expiresAt: at,
      link: `${site}/admin/report-file/?t=secret`,
    },
    "staff-roles-changed": {
      firstName,
      userId: "4f0e3c5e-6a3c-4a4f-9b55-0c6f6c3a2b11",
      name: "Grace Hopper",
      email: "grace@example.com",
      was: "Support",
      is: "Support, Finance",
      by: "Ada Byron (ada@example.com)",
      at,
    },
    "two-step-changed": { firstName, at, change: { kind: "passkey-added", name: "Office laptop" } },
    "recovery-code-used": { firstName, at, codesLeft: 9, browser: "Chrome on Windows", ip: "203.0.113.7" },
    "tax-invoice": {
      firstName,
      kind: "invoice",
      number: "100001",
      description: "Professional, yearly subscription",
      totalCents: 156_640,
      issuedAt: at,
    },
    "subscription-started": { firstName, plan: "Professional", licenceCode: "9K2MX-4D0PV-7HJ3R-QW81T-ZC5NE-6YFAB" },
    "subscription-renewed": { firstName, plan: "Professional", amountCents: 16_495, nextPaymentAt: at },
    "subscription-cancelled": { firstName, plan: "Professional", endsAt: at },
    "subscription-ended": { firstName, plan: "Professional", wasCancelled: false },
    "price-changing": {
      firstName,
      plan: "Professional",
      interval: "monthly",
      fromCents: 16_495,
      toCents: 17_595,
      hasGst: true,
      renewsAt: at,
    },
    "payment-failed": { firstName, plan: "Professional", amountCents: 16_495, runsUntil: at },
    "contact-message": { name: "Ada Byron", email: "ada@example.com", phone: "0400 000 000", message: sampleMessage },
  };
}

import { describe, expect, test } from "vitest";
import { describeRefund } from "#web/billing/refunds/describe-refund.ts";
import { describeAction } from "#web/billing/subscriptions/describe-action.ts";
import { getStatusText, getSubscriptionActions } from "#web/billing/subscriptions/subscription-texts.ts";

const END = "2026-12-20T02:00:00.000Z";

describe("a refund", () => {
  const preview: Parameters<typeof describeRefund>[0] = {
    remainingCents: 16_495,
    amountCents: 5_000,
    gstCents: 455,
    unused: { daysUsed: 10, daysLeft: 20, lastDay: "2026-12-19", amountCents: 5_000 },
    licenceChoices: ["KEEP", "END_NOW", "END_AT_PERIOD_END"],
    suggestedLicence: "KEEP",
    hasSubscription: true,
    licence: "KEEP",
    isToCard: false,
    cardLast4: null,
    supportCode: null,
    renewsAt: null,
    endsAt: null,
  };

  test("says what happens to the money and to unused time", () => {
    expect(describeRefund(preview, "100141", true)).toEqual([
      "Used until today: 10 of 30 days of invoice 100141. The rest until 19 Dec 2026 is refunded: 20 days.",
      "A refund of A$50.00 is recorded. Pay it to the customer yourself.",
      "The customer receives an adjustment note for invoice 100141: A$50.00, including A$4.55 GST.",
      "The licence stays as it is. The subscription has already ended.",
    ]);
    const unused = { daysUsed: 10, daysLeft: 20, lastDay: "2026-12-19", amountCents: 8_000 };
    expect(describeRefund({ ...preview, unused, isToCard: true }, "100141", true)).toContain(
      "A$30.00 of the unused time wasn't paid by card. Refund this amount separately.",
    );
    const message = "A$50.00 goes back to the card, usually within 5 to 10 business days.";
    expect(describeRefund({ ...preview, isToCard: true }, "100141", false)[0]).toBe(message);
  });

  test.each([
    [{ renewsAt: END }, "The licence stays valid. The subscription renews on 20 Dec 2026 and is charged then."],
    [{ endsAt: END }, "The licence stays valid until 20 Dec 2026, when the cancelled subscription ends."],
    [
      { licence: "END_AT_PERIOD_END", endsAt: END },
      "The subscription is cancelled without further charges. The licence runs until 20 Dec 2026.",
    ],
    [
      { licence: "END_NOW", endsAt: END },
      "The licence ends now, on all devices. The subscription ends without further charges.",
    ],
    [{ licence: "END_NOW" }, "The licence ends now, on all devices."],
    [{ hasSubscription: false }, "No licence changes."],
    [
      { hasSubscription: false, supportCode: "S-7K3QMX9D" },
      "The licence S-7K3QMX9D keeps its end date, even if this invoice extended it.",
    ],
    [
      { hasSubscription: false, supportCode: "S-7K3QMX9D", licence: "END_NOW" },
      "The licence S-7K3QMX9D ends now, on all devices. A customer with a confirmed address is notified by email.",
    ],
  ] as const)("says of %o what happens to the licence", (changes, sentence) => {
    expect(describeRefund({ ...preview, ...changes }, "100141", false).at(-1)).toBe(sentence);
  });
});

test("says what each action on a subscription does", () => {
  const preview = {
    amountCents: null,
    cardLast4: null,
    licenceExpiresAt: END,
    licenceUntil: null,
    pauseUntil: null,
    renewsAt: null,
    endsAt: null,
  } as const;
  const message = "The overdue amount is charged to the card now.";
  expect(describeAction("RETRY_PAYMENT", preview, "PAST_DUE")[0]).toBe(message);
  const expected = "The subscription and the licence run until 20 Dec 2026. The card isn't charged again.";
  expect(describeAction("CANCEL_AT_PERIOD_END", { ...preview, endsAt: END }, "ACTIVE")[0]).toBe(expected);
  const extended = { ...preview, endsAt: END, licenceUntil: "2027-01-03T02:00:00.000Z" };
  expect(describeAction("CANCEL_AT_PERIOD_END", extended, "ACTIVE").slice(0, 2)).toEqual([
    "The subscription runs until 20 Dec 2026, and the extended licence until 3 Jan 2027. The card isn't charged again.",
    "Nothing is refunded. The subscription can be resumed until 20 Dec 2026.",
  ]);
  const wanted = expect.arrayContaining(["The licence ends now, on all devices.", "The customer receives an email."]);
  expect(describeAction("CANCEL_NOW", { ...preview, endsAt: END }, "ACTIVE")).toEqual(wanted);
  expect(describeAction("RESUME", { ...preview, renewsAt: END }, "CANCELLING")).toEqual([
    "The subscription renews on 20 Dec 2026, and the card is charged then.",
    "Nothing is charged now.",
    "The customer receives an email.",
  ]);
  expect(describeAction("EXTEND_LICENCE", { ...preview, licenceUntil: "2027-01-03T02:00:00.000Z" }, "ACTIVE")[0]).toBe(
    "The licence runs until 3 Jan 2027 instead of 20 Dec 2026, whether or not it is paid.",
  );
  const pause = { ...preview, pauseUntil: END, renewsAt: "2027-01-03T02:00:00.000Z" };
  expect(describeAction("PAUSE", pause, "ACTIVE")).toEqual([
    "The licence can't be used until 20 Dec 2026. It is valid again from then on.",
    "The paid time that is left continues after the pause.",
    "Nothing is charged until 3 Jan 2027, when the next payment is due.",
    "The customer receives an email and can resume earlier.",
  ]);
  expect(describeAction("PAUSE", pause, "PAST_DUE")[1]).toBe("The overdue payment is cancelled and not retried.");
  expect(describeAction("END_PAUSE", { ...preview, renewsAt: END }, "PAUSED")[1]).toMatch(/^The subscription renews/);
  const sentence = "The subscription is cancelled and ends on 20 Dec 2026.";
  expect(describeAction("END_PAUSE", { ...preview, endsAt: END }, "PAUSED")[1]).toBe(sentence);
});

test("says that a paused subscription is cancelled, and lets finance resume it", () => {
  const paused = { status: "PAUSED", isCancelledAtPeriodEnd: true } as const;
  expect(getStatusText(paused).label).toBe("Paused, cancelled");
  expect(getSubscriptionActions(paused, true)).toEqual(["RESUME", "END_PAUSE", "EXTEND_LICENCE", "CANCEL_NOW"]);
  const renewing = { ...paused, isCancelledAtPeriodEnd: false };
  expect(getSubscriptionActions(renewing, true)).toEqual(["END_PAUSE", "EXTEND_LICENCE", "CANCEL_AT_PERIOD_END"]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { check } from "#api/platform/validate.ts";
import { normalizePromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { cleanEmail, cleanNumber, cleanText, countCharacters } from "#schema/clean-text.ts";
import { codeRules, profileRules, signInRules } from "#schema/account.ts";
import { isAbn } from "#schema/billing-details.ts";
import { parseCents } from "#schema/money.ts";
import { importLicenceRules } from "#schema/import.ts";
import { moneyReportRules } from "#schema/money-report.ts";
import { parseMoment } from "#schema/moment.ts";
import { planPriceRules } from "#schema/plan.ts";
import { moveDevicesRules, userCodeRules } from "#schema/protocol.ts";
import { buildVersionRules } from "#schema/software.ts";
import { periodLockRules } from "#schema/staff-money.ts";
import { splitNetworks } from "#schema/text.ts";
import { buildRegistration } from "#tests/factories/user.ts";

test("gives text one spelling, and keeps the invisible characters that were meant", () => {
  const cases = [
    ["Zoe\u0308\u00a0\u2003N\u0303a", "Zoë  Ña"],
    ["\ufeffA\u00adda\u2066 By\u200dron\u2069", "Ada Byron"],
    ["１２ High\u3000St", "12 High St"],
    ["one\u2028two", "one\ntwo"],
    ["A\ufffcda \u{1d159}\u{13431}", "Ada "],
    ...["👩‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️‍🔥", "1️⃣", "می‌خواهم", "क्‍ष", "അവന്‍", "葛󠄀"].map((kept) => [kept, kept]),
    ["\u200d👩\u200d\u200d🚀\ufe0f\ufe0f", "👩🚀\ufe0f"],
  ] as const;
  for (const [typed, expected] of cases) expect(cleanText(typed)).toBe(expected);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => cleanText(cleanText(text)) === cleanText(text)),
    { numRuns: 100 },
  );
});

test("writes the domain of an email address in one spelling", () => {
  for (const [typed, expected] of [
    ["Ada@Bücher.example", "Ada@xn--bcher-kva.example"],
    ["zoë@ＢＵ\u0308CHER．example", "zoë@xn--bcher-kva.example"],
    ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
    ["用户@例子.公司", "用户@xn--fsqu00a.xn--55qx5d"],
    ["ada@उदाहरण.example", "ada@xn--p1b6ci4b4b3a.example"],
    ["Ada@Example.COM", "Ada@Example.COM"],
    ["ada@bü cher.example", "ada@bü cher.example"],
    ["ada@bü/cher.example", "ada@bü/cher.example"],
    ["ada", "ada"],
  ] as const)
    expect(cleanEmail(typed)).toBe(expected);
});

test("counts characters as a reader does", () => {
  for (const [text, count] of [
    ["Ada", 3],
    ["Zoe\u0308", 3],
    ["👩‍👩‍👧‍👦🇦🇺", 2],
    ["a\r\nb", 3],
  ] as const)
    expect(countCharacters(text)).toBe(count);
});

test("reads numbers from any keyboard and clipboard", () => {
  expect(cleanNumber("\u202d＋６１ (٤١٢)\u00a0३४५–६७८\u202c")).toBe("+61 (412) 345-678");
  for (const mobile of [
    "\u202a+61 412 345 678\u202c",
    "0412–345–678",
    "0412ー345−678",
    "tel:+61412345678",
    "０４１２　３４５　６７８",
  ])
    expect(check(profileRules, buildRegistration({ mobile })).mobile).toMatch(/^[+\d][\d -]+$/);
  for (const [mobile, stored] of [
    ["'0730000000", "0730000000"],
    ["Ph: 07 3000 0000", "07 3000 0000"],
    ["M 0412 345 678", "0412 345 678"],
    ["Tel.: +61 7 3000 0000", "+61 7 3000 0000"],
    ["07·3000·0000, ext. 12", "07·3000·0000, ext. 12"],
    ["tel:+61-7-3000-0000;ext=12", "+61-7-3000-0000;ext=12"],
  ] as const)
    expect(check(profileRules, buildRegistration({ mobile })).mobile).toBe(stored);
  expect(check(codeRules, { code: "١٢٣\u00a0٤٥٦" }).code).toBe("123 456");
  const days = { startDate: "\u200e２０２５–07–01", endDate: "2025-07-31" };
  expect(check(moneyReportRules, days).startDate).toBe("2025-07-01");
  expect(check(planPriceRules.pick(["from"]), { from: days.startDate }).from).toBe("2025-07-01");
  expect(check(buildVersionRules, { version: "７．２．٠" }).version).toBe("7.2.0");
  for (const expiryDate of ["30–06–２０２８", "30 / 06 / 2028", "2028/06/30", "2028-06-30 23:59:59"])
    expect(check(importLicenceRules.pick(["expiryDate"]), { expiryDate }).expiryDate).toEqual(
      new Date("2028-06-30T23:59:59.999Z"),
    );
  const countRules = importLicenceRules.pick(["numberOfUsers"]);
  expect(check(countRules, { numberOfUsers: "１,000" }).numberOfUsers).toBe(1_000);
  expect(() => check(countRules, { numberOfUsers: "1.000" })).toThrow();
  expect(isAbn("５１\u00a0８２４\u202f７５３ 556")).toBe(true);
  expect(parseCents("Ａ＄１,４２４.００\u200e")).toBe(142_400);
  expect(parseCents("1\u202f424.00")).toBe(142_400);
  expect(check(profileRules, buildRegistration({ postCode: "٤٠٠٠" })).postCode).toBe("4000");
  expect(check(periodLockRules.pick(["month"]), { month: "２０２６–07\u200e" }).month).toBe("2026-07");
  expect(splitNetworks("\u200e203.0.113.7;１９８.51.100.0／24\u00a0")).toEqual(["203.0.113.7", "198.51.100.0/24"]);
  expect(parseMoment("\u200e2025–01–02")).toEqual(new Date("2025-01-02T00:00:00Z"));
});

test("compares addresses and codes in one spelling", () => {
  expect(check(signInRules, { email: "ａda@exa\u0308mple.com\u200b", password: "x" }).email).toBe(
    "ada@xn--exmple-cua.com",
  );
  expect(check(userCodeRules, { userCode: "ｗdjb‑ｍｊｈｔ" }).userCode).toBe("wdjb-mjht");
  expect(check(moveDevicesRules.pick(["emailCode"]), { emailCode: "١٢٣\u00a0４５６" }).emailCode).toBe("123 456");
  expect(new Set(["fe\u0302te‑10 ", "FÊTE-10", "ｆêｔｅ－１０\u200b"].map(normalizePromoCode))).toEqual(
    new Set(["FÊTE-10"]),
  );
});

import { brand } from "./brand.ts";
import { secret } from "./text.ts";

/** Message for a password that is on a list of stolen passwords. */
export const COMMON_PASSWORD_MESSAGE =
  "This password is one of the first that attackers try. Please choose one that is harder to guess.";

/** Message for a password based on its owner's name, company or address, or on the product's name. */
export const PERSONAL_PASSWORD_MESSAGE =
  "Your name, your company, your email address and our name are easy to guess and do not count. Please add at least 8 other characters.";

/**
 * Returns the rule for new passwords (docs/domain.md#passwords): required, at least 8 characters, a number, and not on
 * the lists of stolen passwords. If the object also has `email`, `firstName` and `lastName`, the password must not be
 * based on them. The limit of 128 characters keeps very long input from being hashed. Passwords aren't trimmed, because
 * spaces count.
 */
export function newPassword() {
  return secret()
    .required("Password is required.")
    .min(8, "Password must have at least 8 characters.")
    .max(128, "Password must have at most 128 characters.")
    .matches(/\d/, { message: "Must have a number.", excludeEmptyString: true })
    .test("hard-to-guess", function hardToGuess(value) {
      // The rules above report a password that is too short, too long or without a number.
      if (!value || value.length < 8 || value.length > 128 || !/\d/.test(value)) return true;
      if (isCommonPassword(value)) return this.createError({ message: COMMON_PASSWORD_MESSAGE });
      const personal = isPersonalPassword(value, readOwner(this.parent));
      return personal ? this.createError({ message: PERSONAL_PASSWORD_MESSAGE }) : true;
    });
}

// Reads the other fields of the form, which may have any type.
function readOwner(values: unknown): PasswordOwner {
  const text = (name: string): string => {
    const value = (values as Record<string, unknown> | undefined)?.[name];
    return typeof value === "string" ? value.slice(0, 254) : "";
  };
  return {
    email: text("email"),
    firstName: text("firstName"),
    lastName: text("lastName"),
    companyName: text("companyName"),
  };
}

/** Returns the rule for a field that must have the same value as `password`. */
export function repeatedPassword() {
  return secret()
    .required("Passwords must match")
    .test("repeats-password", "Passwords must match", function repeats(value) {
      return (value ?? "") === ((this.parent as { password?: string }).password ?? "");
    });
}

/**
 * Common stolen passwords that have at least 8 characters and a number, or would have them with the endings that people
 * often add. They are in lower case and without the substitutions that {@link foldPassword} undoes.
 */
const listed = `
  12345678 123456789 1234567890 12345678910 0123456789 987654321 0987654321 87654321 9876543210 123123123
  1234512345 12341234 11223344 1122334455 112233445566 1123581321 121212121 123321123 12344321 123454321
  1234554321 147258369 147852369 159753456 159357456 741852963 789456123 963852741 13579246 135792468 24681357
  246813579 10203040 102030405 31415926 314159265 19841984 20202020 20012001 01012000 01011990 00000007
  1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 2wsx3edc q1w2e3r4 q1w2e3r4t5 qaz123wsx
  qazwsx123 qazwsx12 qazwsxedc123 zaq12wsx zaq1xsw2 zaq1zaq1 qwer1234 qwert123 qwert1234 qwerty12 qwerty123
  qwerty1234 qwerty12345 qwerty123456 qwerty2020 qwerty2024 qwerty2025 qwertyui1 qwertyuiop1 qwertyuiop123
  1234qwer 12345qwert 123456qwerty 123qweasd 123qweasdzxc 123qwe123 123qwe456 qweasd123 qweasdzxc1 asdf1234
  asdfg123 asdfgh123 asdfghjk1 asdfghjkl1 asdqwe123 1234asdf zxcvbnm1 zxcvbnm123 zxcvb123 zxcv1234 azerty123
  azertyuiop1 abcd1234 abcde123 abcde12345 abcdef123 abcdefg1 abcdefg123 abcdefgh1 abc12345 abc123456 abc123abc
  abc1234567 a1b2c3d4 a1b2c3d4e5 a12345678 a123456789 aa123456 aa12345678 aaa12345 1234abcd 12345abc 123456abc
  123abc123 123456aa 123456789a 12345678a 123456asd asd123456 asd12345 qwe12345 qwe123456 q1234567 q12345678
  q123456789 z1234567 zxc12345 1g2w3e4r 1a2b3c4d 1a2s3d4f
  password password0 password1 password2 password3 password7 password9 password01 password10 password11
  password12 password13 password21 password22 password69 password99 password100 password111 password123
  password1234 password12345 password123456 password321 password2020 password2021 password2022 password2023
  password2024 password2025 password2026 1password 123password mypassword1 mypassword123 newpassword1
  passw0rd1 passwort1 passwort123 motdepasse1 contrasena1 password1password1 pass1234 pass12345 pass123456
  passpass1 pass1word p455w0rd
  welcome1 welcome01 welcome12 welcome123 welcome1234 welcome2020 welcome2024 welcome2025 bienvenue1
  letmein1 letmein12 letmein123 letmein1234 iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveu123 loveyou123
  lovely123 admin123 admin1234 admin12345 admin123456 administrator1 root1234 root12345 user1234 guest123 guest1234
  login123 login1234 master123 master1234 default1 default123 changeme1 changeme123 secret123 secret1234
  temp1234 temporary1 test1234 test12345 test123456 testing1 testing123 tester123 demo1234 hello123 hello1234
  hello12345 helloworld1 trustno1 whatever1 whatever123 freedom1 blahblah1 starwars1 pokemon1 pokemon123
  superman1 superman123 batman123 spiderman1 ironman123 dragon123 dragon12 monkey123 monkey12 shadow123
  sunshine1 sunshine123 princess1 princess12 princess123 babygirl1 football1 football12 football123 baseball1
  basketball1 soccer123 hockey123 cricket123 liverpool1 chelsea1 chelsea123 arsenal1 arsenal123 michael1
  michelle1 jennifer1 jessica1 jordan23 charlie1 charlie123 ashley123 daniel123 thomas123 andrew123 nicole123
  samsung1 samsung123 google123 facebook1 computer1 computer123 internet1 windows10 killer123 hunter123
  summer123 summer2023 summer2024 summer2025 winter123 winter2024 winter2025 spring2024 spring2025 autumn2024
  autumn2025 monday123 friday123 australia1 brisbane1 melbourne1 sydney123 sydney2000 aussie123 cheese123
  chocolate1 cookie123 butterfly1 flower123 purple123 orange123 diamond1 mustang1 ferrari1 mercedes1 yamaha123
  company1 company123 business1 project1 project123 planner1 planner123 schedule1 office365 primavera1 primavera6
`;

const substitutes: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/**
 * Simplifies a password as a password cracker does: ignores case, undoes substitutions such as `Pa$$w0rd`, and keeps
 * only letters and digits.
 */
function foldPassword(text: string): string {
  const [core = ""] = /[\p{L}\p{N}@$](?:.*[\p{L}\p{N}@$])?/su.exec(text.normalize("NFKC").toLowerCase()) ?? [];
  return core.replace(/[@431!0$57]/g, (sign) => substitutes[sign] ?? sign).replace(/[^\p{L}\p{N}]/gu, "");
}

const common = new Set(listed.split(/\s+/).filter(Boolean).map(foldPassword));

/**
 * Returns whether a password is one of the first that an attacker would try (docs/domain.md#passwords): it is on a list
 * of stolen passwords (ignoring case and common substitutions), has fewer than four different characters, or is a
 * sequence of digits that counts up or down.
 */
export function isCommonPassword(password: string): boolean {
  return common.has(foldPassword(password)) || new Set(password.toLowerCase()).size < 4 || isCountedThrough(password);
}

/**
 * Returns whether each digit is one more, or each is one less, than the digit before it. 9 and 0 count as neighbours.
 */
function isCountedThrough(text: string): boolean {
  if (/\D/.test(text)) return false;
  const steps = new Set(Array.from(text.slice(1), (digit, index) => (Number(digit) - Number(text[index]) + 10) % 10));
  return steps.size === 1 && (steps.has(1) || steps.has(9));
}

/** Known details of the user who chooses a password. */
export interface PasswordOwner {
  readonly email?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly companyName?: string | undefined;
}

/** Minimum length of a word from the user's details to look for. Shorter words occur in too many other words. */
const shortestWord = 4;

/**
 * Returns whether a password is based on its owner's email address, name or company, or on the product's name: without those
 * words it has fewer than 8 letters and digits or is a common password.
 */
export function isPersonalPassword(password: string, owner: PasswordOwner) {
  const { email = "", firstName = "", lastName = "", companyName = "" } = owner;
  const name = email.split("@")[0] ?? "";
  const words = [email, name, ...name.split(/[._+-]/), firstName, lastName, companyName, brand.name, brand.productName]
    .flatMap((word) => [word, ...word.split(/[\s'-]+/)])
    .map(foldPassword)
    .filter((word) => word.length >= shortestWord)
    .toSorted((a, b) => b.length - a.length);
  const whole = foldPassword(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), whole);
  return rest !== whole && (rest.length < 8 || common.has(rest));
}

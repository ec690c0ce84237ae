import { type InferType, object, string } from "yup";
import { phone } from "./account.ts";
import { emailAddress, line, numeric, paragraphs } from "./text.ts";

const MESSAGE_WORDS = 500;
const MESSAGE_TOO_LONG = `Message should not exceed ${MESSAGE_WORDS} Words.`;

/** Validates a message from the contact form, for the form, GraphQL and REST. */
export const contactFormRules = object({
  name: line(30, "Name is too long.").required("Name is required.").min(2, "Name must have at least 2 characters."),
  email: emailAddress("Email address is required."),
  phone: phone(50).required("Phone number is required.").min(10, "Invalid phone number."),
  message: paragraphs(20_000, MESSAGE_TOO_LONG)
    .required("Message is required.")
    .test("words", MESSAGE_TOO_LONG, (value) => !value || value.trim().split(/\s+/u).length <= MESSAGE_WORDS),
  /** A hidden field that only spam bots fill in. */
  website: string().typeError("Must be text.").default(""),
  /** Number of seconds the form was open; undefined if the caller has no form. */
  secondsTaken: numeric().typeError("Must be a number."),
});

export type ContactFormValues = InferType<typeof contactFormRules>;
